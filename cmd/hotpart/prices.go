package main

import (
	"maps"
	"slices"
	"strconv"

	"github.com/hotpart/hotpart/analysis"
)

// priceFields are what --price can set, by name.
var priceFields = map[string]func(*analysis.Prices) *float64{
	"rcu-hour":         func(p *analysis.Prices) *float64 { return &p.ReadHour },
	"wcu-hour":         func(p *analysis.Prices) *float64 { return &p.WriteHour },
	"read-million":     func(p *analysis.Prices) *float64 { return &p.ReadMillion },
	"write-million":    func(p *analysis.Prices) *float64 { return &p.WriteMillion },
	"insights-rule":    func(p *analysis.Prices) *float64 { return &p.InsightsRule },
	"insights-million": func(p *analysis.Prices) *float64 { return &p.InsightsMillion },
	"dax-node-hour":    func(p *analysis.Prices) *float64 { return &p.CacheNodeHour },
}

func priceNames() []string { return slices.Sorted(maps.Keys(priceFields)) }

// withPrices are the list prices with some of them replaced.
func withPrices(set map[string]string) (analysis.Prices, error) {
	p := analysis.ListPrices
	for _, name := range slices.Sorted(maps.Keys(set)) {
		field := priceFields[name]
		if field == nil {
			return p, usage("--price: %q is no price%s", name, didYouMean("--price ", name, priceNames(), "--price wcu-hour=0.00078"))
		}
		dollars, err := strconv.ParseFloat(set[name], 64)
		if err != nil || !(dollars >= 0 && dollars < 1e6) {
			return p, usage("--price %s=%s is no price in dollars", name, set[name])
		}
		*field(&p) = dollars
	}
	if len(set) > 0 {
		p.Of = "prices as given, else " + analysis.ListPrices.Of
	}
	return p, nil
}
