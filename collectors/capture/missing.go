package capture

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// warnOfMissingFiles names what a capture should have and hasn't.
func (d *decoder) warnOfMissingFiles() {
	missing := func(kind, consequence string) {
		if !d.r.has(kind) && !d.r.single {
			d.r.warn(telemetry.MissingFile, telemetry.ResourceID{}, "%s.json: no such file: %s", kind, consequence)
		}
	}
	missing(kindTable, "mode, capacity and keys of the table are not known")
	missing(kindLimits, "the account's quotas are not known")
	if len(d.lesser) == 0 || d.r.has(kindAnswer) {
		missing(kindQueries, "without the request, no metric is known by its answer")
	}
	if !d.r.has(kindQueries) && len(d.lesser) == 0 {
		missing(kindAnswer, "there are no metrics")
	}
	if foreign := slices.Sorted(maps.Keys(d.metrics.foreign)); len(foreign) > 0 {
		d.r.warn(telemetry.PartialDataCode, telemetry.ResourceID{}, "%s: metrics of %s are left out; only those of %s are read", kindQueries, sample(foreign), namespace)
	}
	for _, dimension := range slices.Sorted(maps.Keys(d.metrics.wrong)) {
		d.r.warn(telemetry.PartialDataCode, telemetry.ResourceID{}, "%s: DynamoDB's metrics have no dimension %q: left out the series that ask for it", kindQueries, dimension)
	}
}

func unreadableDirectory(name string, err error) error {
	return fmt.Errorf("read capture %q: %w\nhint: name a directory that holds what the AWS CLI printed", telemetry.Clean(name), pathless(err))
}

// failure explains why a directory isn't a capture, by what it holds.
func (d *decoder) failure(name string) error {
	say := func(what, hint string) error {
		return fmt.Errorf("read capture %q: %s\nhint: %s", telemetry.Clean(name), telemetry.Clean(what), telemetry.Clean(hint))
	}
	const script = "hotpart capture TABLE prints a script that writes a capture directory with the AWS CLI"
	foreign := slices.Sorted(maps.Keys(d.metrics.foreign))
	switch {
	case d.r.single:
		what := "no metric of DynamoDB in it"
		if n := len(d.r.warnings); n > 0 {
			what += " (" + d.r.warnings[n-1].Text + ")"
		}
		return say(what, "docs/inputs.md says what can be read; of a capture give the directory")
	case len(d.r.files)+len(d.r.others)+len(d.r.dirs) == 0:
		return say("the directory is empty", script)
	case len(d.r.files) == 0 && len(d.r.dirs) > 0:
		return say("no file of a capture in it, only "+sample(slices.Concat(d.r.dirs, d.r.others)), "name the directory that holds describe-table.json itself")
	case len(d.r.files) == 0:
		return say("no file of a capture in it, only "+sample(d.r.others), script)
	case len(foreign) > 0:
		return say("its metrics are of "+sample(foreign)+", not of "+namespace, script)
	case d.r.has(kindAnswer) && !d.r.has(kindQueries):
		return say("neither a table's description nor the queries of the metrics", "add metric-data-queries.json, the request that get-metric-data.json answers, or describe-table.json")
	}
	what := "neither a table's description nor one metric of DynamoDB in " + sample(fileNames(d.r.files))
	for _, w := range d.r.warnings {
		if w.Code == telemetry.UnreadableFile || w.Code == telemetry.Denied {
			return say(what+" ("+w.Text+")", script)
		}
	}
	return say(what, script)
}

func fileNames(files []file) []string {
	var out []string
	for _, f := range files {
		out = append(out, f.name)
	}
	return out
}

// sample lists a few names.
func sample(all []string) string {
	const shown = 3
	if len(all) <= shown {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:shown], ", "), len(all)-shown)
}
