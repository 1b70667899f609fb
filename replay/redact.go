package replay

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// Redactor replaces what a recording tells of its owner, so that it can be shown
// to others: the values of keys always, and with Names also accounts and the
// names of tables, indexes, attributes and rules, and all free text. The same
// value is always replaced in the same way, so an analysis finds the same events;
// Regions, times, sizes and loads stay as they are.
type Redactor struct {
	Names bool
	// Secret, unless empty, makes stand-ins that are the same in every recording that
	// is redacted with it, and that nobody can tell or guess the value from who doesn't
	// have it. Without, values are numbered as they are met.
	Secret []byte
	// Prefixes keeps a key's beginning where it looks like a type: letters, up to and
	// with the first of # : | /, such as TENANT# in TENANT#123.
	Prefixes bool

	replaced map[redacted]string
	counts   map[string]int
}

// redacted is a value of some kind, such as "table".
type redacted struct{ kind, value string }

// stand gives the stand-in for a value, "" for "": KIND-1 for the first one of a
// kind, and so on in the order in which they are met; with a secret KIND and a token.
func (r *Redactor) stand(kind, value string) string {
	if value == "" {
		return ""
	}
	if len(r.Secret) > 0 {
		return kind + "-" + token(r.Secret, kind, value)
	}
	if r.replaced == nil {
		r.replaced, r.counts = map[redacted]string{}, map[string]int{}
	}
	key := redacted{kind, value}
	if _, ok := r.replaced[key]; !ok {
		r.counts[kind]++
		r.replaced[key] = fmt.Sprintf("%s-%d", kind, r.counts[kind])
	}
	return r.replaced[key]
}

// token is 80 bits of HMAC-SHA256 over kind and value, in 16 letters and digits.
func token(secret []byte, kind, value string) string {
	h := hmac.New(sha256.New, secret)
	_, _ = io.WriteString(h, kind+"\x00"+value) // a hash takes anything
	return strings.ToLower(base32.StdEncoding.EncodeToString(h.Sum(nil)[:10]))
}

// key is the stand-in for a key's value.
func (r *Redactor) key(kind, value string) string {
	stand := r.stand(kind, value)
	if r.Prefixes {
		return prefix(value) + stand
	}
	return stand
}

// prefix is a key's beginning that looks like a type, "" where there is none.
func prefix(key string) string {
	const longest = 32
	for i, c := range []byte(key[:min(len(key), longest)]) {
		switch {
		case i > 0 && strings.IndexByte("#:|/", c) >= 0:
			return key[:i+1]
		case c != '_' && c != '-' && (c|0x20 < 'a' || c|0x20 > 'z'):
			return ""
		}
	}
	return ""
}

// name is stand, for what only Names replaces.
func (r *Redactor) name(kind, value string) string {
	if !r.Names {
		return value
	}
	return r.stand(kind, value)
}

// text drops free text, which may name anything.
func (r *Redactor) text(value string) string {
	if !r.Names || value == "" {
		return value
	}
	return "redacted"
}

// Header redacts a header. A synthetic recording's truth is left out, since it
// names keys.
func (r *Redactor) Header(h Header) Header {
	h.Account, h.Truth = r.name("account", h.Account), nil
	h.Resources = each(h.Resources, r.resource)
	return h
}

// Batch redacts a batch. The batch that is given isn't changed.
func (r *Redactor) Batch(b telemetry.Batch) telemetry.Batch {
	b.Source.Name = r.text(b.Source.Name)
	b.Tables = each(b.Tables, r.table)
	b.Insights = each(b.Insights, func(i telemetry.Insights) telemetry.Insights {
		i.Resource, i.Failure = r.resource(i.Resource), r.text(i.Failure)
		i.Rules = each(i.Rules, r.rule)
		return i
	})
	b.Quotas = each(b.Quotas, func(q telemetry.Quotas) telemetry.Quotas {
		q.Account = r.name("account", q.Account)
		return q
	})
	b.Shards = each(b.Shards, func(s telemetry.Shards) telemetry.Shards {
		s.Table, s.Stream = r.tableID(s.Table), r.text(s.Stream)
		return s
	})
	b.Targets = each(b.Targets, func(t telemetry.ScalingTarget) telemetry.ScalingTarget {
		t.Resource = r.resource(t.Resource)
		return t
	})
	b.Activities = each(b.Activities, func(a telemetry.ScalingActivity) telemetry.ScalingActivity {
		a.Resource, a.Description, a.Cause = r.resource(a.Resource), r.text(a.Description), r.text(a.Cause)
		return a
	})
	b.Series = each(b.Series, func(s telemetry.Series) telemetry.Series {
		s.ID.Resource = r.resource(s.ID.Resource)
		return s
	})
	b.Earlier = each(b.Earlier, func(e telemetry.Earlier) telemetry.Earlier {
		e.ID.Resource = r.resource(e.ID.Resource)
		return e
	})
	b.Rankings = each(b.Rankings, r.ranking)
	b.Marks = each(b.Marks, func(m telemetry.Mark) telemetry.Mark {
		m.Resource = r.resource(m.Resource)
		if m.Text = r.text(m.Text); m.Kind == telemetry.NoteMark {
			m.Text = "redacted" // a person may have written down a key
		}
		return m
	})
	b.Warnings = each(b.Warnings, func(w telemetry.Warning) telemetry.Warning {
		w.Resource, w.Text = r.resource(w.Resource), r.text(w.Text)
		return w
	})
	return b
}

func (r *Redactor) tableID(id telemetry.TableID) telemetry.TableID {
	id.Account, id.Table = r.name("account", id.Account), r.name("table", id.Table)
	return id
}

func (r *Redactor) resource(id telemetry.ResourceID) telemetry.ResourceID {
	return telemetry.ResourceID{TableID: r.tableID(id.TableID), Index: r.name("index", id.Index)}
}

func (r *Redactor) attributes(keys []telemetry.KeyAttribute) []telemetry.KeyAttribute {
	return each(keys, func(k telemetry.KeyAttribute) telemetry.KeyAttribute {
		k.Name = r.name("attribute", k.Name)
		return k
	})
}

func (r *Redactor) projection(p telemetry.Projection) telemetry.Projection {
	p.Attributes = each(p.Attributes, func(a string) string { return r.name("attribute", a) })
	return p
}

func (r *Redactor) table(t telemetry.Table) telemetry.Table {
	t.ID, t.StreamARN, t.Keys = r.tableID(t.ID), r.text(t.StreamARN), r.attributes(t.Keys)
	t.Indexes = each(t.Indexes, func(i telemetry.Index) telemetry.Index {
		i.Name, i.Keys, i.Projection = r.name("index", i.Name), r.attributes(i.Keys), r.projection(i.Projection)
		return i
	})
	t.LocalIndexes = each(t.LocalIndexes, func(i telemetry.LocalIndex) telemetry.LocalIndex {
		i.Name, i.Keys, i.Projection = r.name("index", i.Name), r.attributes(i.Keys), r.projection(i.Projection)
		return i
	})
	return t
}

// rule keeps of a rule's name what tells its kind.
func (r *Redactor) rule(name string) string {
	kind, ok := telemetry.RuleKindOf(name)
	if !ok || !r.Names {
		return r.name("rule", name)
	}
	return "DynamoDBContributorInsights-" + string(kind) + "-" + r.stand("rule", name)
}

func (r *Redactor) ranking(k telemetry.Ranking) telemetry.Ranking {
	k.Resource, k.Rule = r.resource(k.Resource), r.rule(k.Rule)
	k.KeyLabels = each(k.KeyLabels, func(a string) string { return r.name("attribute", a) })
	k.Contributors = each(k.Contributors, func(c telemetry.Contributor) telemetry.Contributor {
		c.Key = telemetry.Key{Partition: r.key("key", c.Key.Partition), Sort: r.key("sort", c.Key.Sort)}
		return c
	})
	return k
}

// each is a copy of a list with every element changed; nil stays nil.
func each[T any](list []T, change func(T) T) []T {
	list = slices.Clone(list)
	for i, v := range list {
		list[i] = change(v)
	}
	return list
}
