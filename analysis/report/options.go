package report

import (
	"time"

	"github.com/hotpart/hotpart/analysis"
)

// Options are how a report is written.
type Options struct {
	// Mask numbers the keys (key-1, key-2, …) instead of showing them.
	Mask bool
	// Names are what keys are called already, such as on a screen; keys that they lack are
	// numbered on from there. nil begins with key-1.
	Names *analysis.Mask
	// Location is the zone that times are shown in; nil is UTC. JSON is always UTC,
	// and so is the verdict.
	Location *time.Location
	// Prices are what costs are told at; the zero value stands for analysis.ListPrices.
	Prices analysis.Prices
}

func (o Options) prices() analysis.Prices {
	if o.Prices == (analysis.Prices{}) {
		return analysis.ListPrices
	}
	return o.Prices
}

func (o Options) location() *time.Location {
	if o.Location == nil {
		return time.UTC
	}
	return o.Location
}

// mask hides a diagnosis's keys where asked for.
func (o Options) mask(d *analysis.Diagnosis) *analysis.Mask {
	var m analysis.Mask
	if !o.Mask {
		return &m
	}
	if o.Names != nil {
		m = o.Names.Clone()
	}
	m.Learn(d)
	return &m
}
