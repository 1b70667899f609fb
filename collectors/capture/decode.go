package capture

import (
	"io/fs"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// captureDocument is capture.json, which our own script writes.
type captureDocument struct {
	Start     stamp `json:"start"`
	End       stamp `json:"end"`
	FetchedAt stamp `json:"fetched_at"`
	Account   text  `json:"account"`
	Region    text  `json:"region"`
}

type limitsDocument struct {
	AccountMaxReadCapacityUnits, AccountMaxWriteCapacityUnits number
	TableMaxReadCapacityUnits, TableMaxWriteCapacityUnits     number
}

// decoder turns the documents of one capture into a batch.
type decoder struct {
	r     *reader
	names *names
	batch telemetry.Batch
	// owners are the resources of the rules that some answer lists.
	owners map[string]telemetry.ResourceID
	// reported holds the rules whose report was read.
	reported map[string]bool
	// rivals counts the rules that carry a table's name alone.
	rivals map[rival]int
	// keys are the key schemas of the described tables and indexes.
	keys map[telemetry.ResourceID][]telemetry.KeyAttribute
	// targetAt is where each scaling target stands in the batch.
	targetAt map[targetKey]int
	metrics  *metrics
	// lesser is where the series of get-metric-statistics and Grafana stand in the
	// batch, -1 for those that get-metric-data gave; nil without the former.
	lesser map[telemetry.SeriesID]int
	// unnamed is set when a file was met that names no table.
	unnamed bool
}

// Decode reads a capture directory as one batch named name: its window is the
// incident's, its points are oldest first without duplicates. Trouble with single
// files or series becomes a warning of the batch, in a fixed order.
//
// The error is not nil only where there is neither a table's description nor one
// metric series; it says what was found, and in a line that begins with "hint:"
// what to do.
func Decode(dir fs.FS, name string) (telemetry.Batch, error) {
	l, err := list(dir)
	if err != nil {
		return telemetry.Batch{}, unreadableDirectory(name, err)
	}
	return decode(&reader{dir: dir, listing: l}, name)
}

// Names reports whether a file's name is that of a file of a capture.
func Names(name string) bool {
	_, known := fileOf(name)
	return known
}

// DecodeFile reads one file of a directory as if it were all of it: of the kind that
// its name tells, else an answer of get-metric-statistics.
func DecodeFile(dir fs.FS, name string) (telemetry.Batch, error) {
	f, known := fileOf(name)
	if !known {
		f = file{name: name, kind: kindStatistics}
	}
	return decode(&reader{dir: dir, listing: listing{files: []file{f}}, single: true}, name)
}

func decode(r *reader, name string) (telemetry.Batch, error) {
	d := &decoder{
		r: r, reported: map[string]bool{}, rivals: map[rival]int{},
		keys: map[telemetry.ResourceID][]telemetry.KeyAttribute{}, targetAt: map[targetKey]int{},
	}
	d.batch.Source = telemetry.Source{Kind: telemetry.SourceCapture, Name: name}
	d.decode()
	if len(d.batch.Tables) == 0 && len(d.batch.Series) == 0 {
		return telemetry.Batch{}, d.failure(name)
	}
	return d.batch, nil
}

// decode reads all documents first, for the names of tables, indexes and the
// account in any of them serve all others.
func (d *decoder) decode() {
	var about captureDocument
	for _, doc := range collect[captureDocument](d.r, kindCapture) {
		about = doc.value
	}
	tables := collect[tableDocument](d.r, kindTable)
	streams := collect[streamDocument](d.r, kindStream)
	d.names = newNames(string(about.Account), string(about.Region))
	for _, doc := range tables {
		doc.value.description().learn(d.names)
	}
	for _, doc := range streams {
		d.names.learn(doc.value.StreamDescription.StreamArn)
	}
	d.names.settle()

	d.batch.FetchedAt = about.FetchedAt.time
	d.tables(tables)
	d.limits(collect[limitsDocument](d.r, kindLimits))
	d.streams(streams)
	d.scaling(collect[targetsDocument](d.r, kindTargets), collect[policiesDocument](d.r, kindPolicies))
	d.activities(collect[activitiesDocument](d.r, kindActivities))
	d.series()
	d.statistics(collect[statisticsDocument](d.r, kindStatistics))
	d.grafana()
	d.settleSeries()
	d.insights(collect[insightsDocument](d.r, kindInsights))
	d.reports(collect[reportDocument](d.r, kindReport))

	d.batch.Window = d.window(about)
	for i := range d.batch.Rankings {
		if r := &d.batch.Rankings[i]; r.Start.IsZero() {
			r.Start, r.End = d.batch.Window.Start, d.batch.Window.End
		}
	}
	d.warnOfCoarsePeriods()
	d.warnOfInsights()
	d.warnOfMissingFiles()
	d.batch.Warnings = d.r.warnings
}

// useless warns of a document that isn't what its file's name says.
func (d *decoder) useless(f file, line int, what string) {
	d.r.warn(telemetry.UnreadableFile, telemetry.ResourceID{}, "%s:%d: holds %s; ignored", f.name, line, what)
}

// tables keeps the last description of each table.
func (d *decoder) tables(docs []found[tableDocument]) {
	at := map[telemetry.TableID]int{}
	for _, doc := range docs {
		description := doc.value.description()
		if description.name() == "" {
			d.useless(doc.file, doc.line, "no description of a table")
			continue
		}
		id := d.names.table(description.name(), arnAccount(description.TableArn))
		table := description.table(id)
		table.At = d.batch.FetchedAt
		d.keys[id.Resource()] = table.Keys
		for _, index := range table.Indexes {
			d.keys[id.WithIndex(index.Name)] = index.Keys
		}
		if i, again := at[id]; again {
			d.batch.Tables[i] = table
			continue
		}
		at[id] = len(d.batch.Tables)
		d.batch.Tables = append(d.batch.Tables, table)
	}
}

func arnAccount(arn text) string {
	id, _ := telemetry.ParseARN(string(arn))
	return id.Account
}

// limits are those of the account that the capture is of; the document names
// neither account nor Region.
func (d *decoder) limits(docs []found[limitsDocument]) {
	for _, doc := range docs {
		v := doc.value
		q := telemetry.Quotas{
			Account: d.names.home.Account, Region: d.names.home.Region,
			PerTable:   telemetry.Throughput{Read: v.TableMaxReadCapacityUnits.positive(), Write: v.TableMaxWriteCapacityUnits.positive()},
			PerAccount: telemetry.Throughput{Read: v.AccountMaxReadCapacityUnits.positive(), Write: v.AccountMaxWriteCapacityUnits.positive()},
		}
		if q.PerTable == (telemetry.Throughput{}) && q.PerAccount == (telemetry.Throughput{}) {
			d.useless(doc.file, doc.line, "no limits")
			continue
		}
		d.batch.Quotas = []telemetry.Quotas{q}
	}
}

func (d *decoder) series() {
	d.metrics = &metrics{r: d.r, names: d.names, foreign: map[string]bool{}, wrong: map[string]bool{}}
	for _, doc := range collect[queryDocument](d.r, kindQueries) {
		d.metrics.ask(doc.file, doc.value)
	}
	pages := collect[answerDocument](d.r, kindAnswer)
	for _, page := range pages {
		d.metrics.answer(page)
	}
	d.metrics.unfinished(pages)
	d.batch.Series = d.metrics.series()
}
