package analysis

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// TestCases runs testdata/cases/*.txtar: the file named telemetry says what AWS told
// of a table, the file named expect what must be concluded. Each line of telemetry:
//
//	table NAME provisioned|on_demand [sort] [lsi] [read N] [write N] [max-read N] [max-write N]
//	      [warm-read N] [warm-write N] [bytes N] [open-shards N]
//	index NAME [sort] [read N] [write N] ...
//	insights off|throttled        the state of Contributor Insights (default: on)
//	legacy                        no cause-specific metrics were published
//	quota read|write N
//	scaling read|write min N max N percent N
//	scaled read|write MINUTE N    an action of auto scaling
//	consumed read|write [INDEX] SERIES       units a second, each minute's mean
//	largest read|write [INDEX] SERIES        units of the largest request
//	provisioned read|write [INDEX] SERIES    every fifth minute is published
//	throttled read|write LIMIT [INDEX] SERIES   events a minute; a total is added up
//	requests OPERATION SERIES                successful requests a minute
//	refused OPERATION SERIES                 ThrottledRequests a minute
//	replicated SERIES                        units a second from replication
//	PKC|SKC|PKT|SKT [INDEX:]KEY[|SORT] SERIES   as ranked, a minute; _ is not ranked
//
// A series is blank-separated: 500 is one minute, 500x20 twenty, _ a missing one,
// 500..900x10 a ramp. The window starts at 10:00 and is as long as the longest series.
//
// Each line of expect: an event as CAUSE LIMIT [INDEX/]read|write FROM-TO [ongoing], then
// indented lines about it: key K · confidence >= X · factor F · no-factor F ·
// hottest A..B · demand A..B · splits yes|no · evidence TEXT · missing TEXT.
// "healthy" expects no event that is more than a note.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parts := map[string]string{}
			for _, f := range txtar.Parse(data).Files {
				parts[f.Name] = string(f.Data)
			}
			a := New()
			a.Add(parseTelemetry(t, parts["telemetry"]))
			checkExpect(t, a.Diagnose(), parts["expect"])
		})
	}
}

var caseStart = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

// caseTable names the table of every case.
var caseTable = telemetry.TableID{Account: "111122223333", Region: "eu-west-1"}

type caseParser struct {
	t      *testing.T
	batch  telemetry.Batch
	table  *telemetry.Table
	steps  int
	legacy bool
	totals map[telemetry.SeriesID]*telemetry.Series
}

func parseTelemetry(t *testing.T, text string) telemetry.Batch {
	p := &caseParser{t: t, totals: map[telemetry.SeriesID]*telemetry.Series{}}
	p.batch.Source = telemetry.Source{Kind: telemetry.SourceCapture, Name: "case"}
	p.table = &telemetry.Table{ID: caseTable}
	insights := "on"
	for n, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		switch words[0] {
		case "insights":
			insights = words[1]
		case "legacy":
			p.legacy = true
		default:
			if !p.line(words) {
				t.Fatalf("telemetry:%d: can't read %q", n+1, line)
			}
		}
	}
	p.finish(insights)
	return p.batch
}

func (p *caseParser) line(w []string) bool {
	switch w[0] {
	case "table":
		p.describe(w[1:])
	case "index":
		x := telemetry.Index{Name: w[1], Keys: []telemetry.KeyAttribute{{Name: "gsi-pk", Role: "HASH"}}}
		settings(w[2:], &x.Keys, &x.Capacity)
		p.table.Indexes = append(p.table.Indexes, x)
	case "quota":
		q := telemetry.Quotas{Account: caseTable.Account, Region: caseTable.Region}
		set(&q.PerTable, direction(w[1]), num(w[2]))
		p.batch.Quotas = append(p.batch.Quotas, q)
	case "scaling":
		lo, hi, pc := telemetry.Rate(num(w[3])), telemetry.Rate(num(w[5])), num(w[7])
		p.batch.Targets = append(p.batch.Targets, telemetry.ScalingTarget{
			Resource: p.id(""), Direction: direction(w[1]), Min: &lo, Max: &hi, Percent: &pc,
		})
	case "scaled":
		to := telemetry.Rate(num(w[3]))
		at := caseStart.Add(time.Duration(num(w[2])) * time.Minute)
		p.batch.Activities = append(p.batch.Activities, telemetry.ScalingActivity{
			Resource: p.id(""), Direction: direction(w[1]), Start: at, End: at, Capacity: &to, Status: "Successful",
		})
	case "consumed", "largest", "provisioned", "replicated", "throttled", "requests", "refused":
		p.series(w)
	case "PKC", "SKC", "PKT", "SKT":
		p.rank(telemetry.RuleKind(w[0]), strings.Join(w[1:], " "))
	default:
		return false
	}
	return true
}

func (p *caseParser) describe(w []string) {
	p.table.ID.Table, p.table.Mode = w[0], telemetry.Mode(w[1])
	p.table.Keys = []telemetry.KeyAttribute{{Name: "pk", Role: "HASH"}}
	for i, word := range w {
		switch word {
		case "lsi":
			p.table.LocalIndexes = []telemetry.LocalIndex{{Name: "by-local"}}
		case "bytes":
			n := int64(num(w[i+1]))
			p.table.SizeBytes = &n
		case "open-shards":
			sh := telemetry.Shards{Table: p.table.ID}
			for j := range int(num(w[i+1])) {
				sh.Shards = append(sh.Shards, telemetry.Shard{ID: fmt.Sprint(j), Open: true})
			}
			p.batch.Shards = append(p.batch.Shards, sh)
		}
	}
	settings(w[2:], &p.table.Keys, &p.table.Capacity)
}

func settings(w []string, keys *[]telemetry.KeyAttribute, c *telemetry.Capacity) {
	pairs := map[string]*telemetry.Throughput{"": &c.Provisioned, "max-": &c.OnDemandMax, "warm-": &c.Warm}
	for i, word := range w {
		if word == "sort" {
			*keys = append(*keys, telemetry.KeyAttribute{Name: "sk", Role: "RANGE"})
		}
		for prefix, t := range pairs {
			if d := strings.TrimPrefix(word, prefix); (d == "read" || d == "write") && word == prefix+d {
				set(t, direction(d), num(w[i+1]))
			}
		}
	}
}

func (p *caseParser) series(w []string) {
	id := telemetry.SeriesID{Stat: telemetry.Sum}
	scale, period, rest := 1.0, time.Minute, w[1:]
	var limit telemetry.Limit
	switch w[0] {
	case "requests":
		id.Metric, id.Stat, id.Operation = telemetry.SuccessfulRequestLatency, telemetry.SampleCount, w[1]
	case "refused":
		id.Metric, id.Operation = telemetry.ThrottledRequests, w[1]
	case "replicated":
		id.Metric, id.Traffic, scale, rest = telemetry.ConsumedWriteCapacityUnits, "GlobalTable", 60, w
	case "consumed":
		id.Metric, scale = telemetry.Consumed(direction(w[1])), 60
	case "largest":
		id.Metric, id.Stat = telemetry.Consumed(direction(w[1])), telemetry.Maximum
	case "provisioned":
		id.Metric, id.Stat, period = telemetry.Provisioned(direction(w[1])), telemetry.Average, 5*time.Minute
	case "throttled":
		limit, rest = telemetry.Limit(w[2]), w[2:]
		id.Metric = telemetry.ThrottleEvents(direction(w[1]), limit)
	}
	rest = rest[1:]
	index := ""
	if _, err := strconv.ParseFloat(strings.FieldsFunc(rest[0], func(r rune) bool { return strings.ContainsRune("x.", r) })[0], 64); err != nil && rest[0][0] != '_' {
		index, rest = rest[0], rest[1:]
	}
	id.Resource = p.id(index)
	s := telemetry.Series{ID: id, Period: period, Status: telemetry.Complete, Points: p.points(rest, scale)}
	if period > time.Minute {
		s.Points = slices.DeleteFunc(s.Points, func(x telemetry.Point) bool { return x.Time.Minute()%5 != 0 })
	}
	if limit != "" {
		p.addToTotal(index, direction(w[1]), s.Points)
	}
	if limit == "" || !p.legacy {
		p.batch.Series = append(p.batch.Series, s)
	}
}

func (p *caseParser) addToTotal(index string, d telemetry.Direction, points []telemetry.Point) {
	id := telemetry.SeriesID{Resource: p.id(index), Metric: telemetry.ThrottleEvents(d, telemetry.UnknownLimit), Stat: telemetry.Sum}
	s := p.totals[id]
	if s == nil {
		s = &telemetry.Series{ID: id, Period: time.Minute, Status: telemetry.Complete}
		p.totals[id] = s
	}
	for _, x := range points {
		i := slices.IndexFunc(s.Points, func(y telemetry.Point) bool { return y.Time.Equal(x.Time) })
		if i < 0 {
			s.Points = append(s.Points, x)
		} else {
			s.Points[i].Value += x.Value
		}
	}
	telemetry.SortPoints(s.Points)
}

func (p *caseParser) rank(kind telemetry.RuleKind, rest string) {
	words := strings.Fields(rest)
	index, key, found := strings.Cut(words[0], ":")
	if !found {
		index, key = "", words[0]
	}
	k := telemetry.Key{}
	k.Partition, k.Sort, _ = strings.Cut(key, "|")
	id := p.id(index)
	i := slices.IndexFunc(p.batch.Rankings, func(r telemetry.Ranking) bool { return r.Resource == id && r.Kind == kind })
	if i < 0 {
		i = len(p.batch.Rankings)
		p.batch.Rankings = append(p.batch.Rankings, telemetry.Ranking{Resource: id, Kind: kind})
	}
	r := &p.batch.Rankings[i]
	r.Contributors = append(r.Contributors, telemetry.Contributor{Key: k, Points: p.points(words[1:], 1)})
}

func (p *caseParser) id(index string) telemetry.ResourceID { return p.table.ID.WithIndex(index) }

// points reads a series; a zero is not published, as with AWS's counters.
func (p *caseParser) points(words []string, scale float64) []telemetry.Point {
	var out []telemetry.Point
	step := 0
	for _, w := range words {
		value, times, many := strings.Cut(w, "x")
		n := 1
		if many {
			n = int(num(times))
		}
		from, to, ramp := strings.Cut(value, "..")
		for i := range n {
			if value != "_" {
				v := num(from)
				if ramp {
					v += (num(to) - v) * float64(i) / math.Max(1, float64(n-1))
				}
				out = append(out, telemetry.Point{Time: caseStart.Add(time.Duration(step) * time.Minute), Value: v * scale})
			}
			step++
		}
	}
	p.steps = max(p.steps, step)
	return out
}

func (p *caseParser) finish(insights string) {
	p.batch.Tables = []telemetry.Table{*p.table}
	p.batch.Window = telemetry.Window{Start: caseStart, End: caseStart.Add(time.Duration(p.steps) * time.Minute), Period: time.Minute}
	for _, s := range p.totals {
		p.batch.Series = append(p.batch.Series, *s)
	}
	resources := []telemetry.ResourceID{p.id("")}
	for _, x := range p.table.Indexes {
		resources = append(resources, p.id(x.Name))
	}
	for _, id := range resources {
		for _, kind := range telemetry.RuleKinds {
			present := slices.ContainsFunc(p.batch.Rankings, func(r telemetry.Ranking) bool { return r.Resource == id && r.Kind == kind })
			if !present && !kind.WithSortKey() && (insights == "on" || insights == "throttled" && kind.Throttled()) {
				p.batch.Rankings = append(p.batch.Rankings, telemetry.Ranking{Resource: id, Kind: kind})
			}
		}
	}
}

func set(t *telemetry.Throughput, d telemetry.Direction, v float64) {
	r := telemetry.Rate(v)
	if d == telemetry.Read {
		t.Read = &r
	} else {
		t.Write = &r
	}
}

func direction(s string) telemetry.Direction { return telemetry.Direction(s) }

func num(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(fmt.Sprintf("not a number: %q", s))
	}
	return v
}
