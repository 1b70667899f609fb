package analysis

import (
	"fmt"
	"slices"
	"strings"
)

// Sharding is how keys are spread over several by a suffix, in full: the code, what
// reading then takes, and the migration.
type Sharding struct {
	// Table and Index name what is spread; Index is "" for the table itself.
	Table, Index string
	// Attribute names the partition key; Sort the sort key, or for an index the table's
	// partition key: a calculated suffix is a hash of it. "" where unknown or none.
	Attribute, Sort string
	// Type is the partition key's type: S, N or B; "" where unknown.
	Type string
	// Keys are the values to spread; none stands for every one.
	Keys []string
	// Shards is over how many keys each is spread.
	Shards int
	// Random draws a suffix by chance; else it is a hash of another attribute.
	Random bool
	// OneItem says that a value is a single item, whose shards are parts of it.
	OneItem bool
}

// PlainSharding is sharding in full for a key that isn't named yet.
func PlainSharding(random bool) Sharding {
	return Sharding{Table: "TABLE", Attribute: "pk", Sort: "sk", Keys: []string{"KEY"}, Shards: 4, Random: random}
}

// Sharding is what a recommendation to shard means in full; nil for another
// recommendation, or one that lacks a number of shards.
func (d *Diagnosis) Sharding(e *Event, r Recommendation) *Sharding {
	t, res := d.place(e)
	shards := int(r.rate("shards"))
	if res == nil || shards < 2 || r.Action != ShardKey && r.Action != ShardIndexKey {
		return nil
	}
	a := &adviser{table: t, res: res, event: e, load: res.Load(e.Direction)}
	s := &Sharding{
		Table: res.ID.Table, Index: res.ID.Index, Attribute: res.PartitionKey, Sort: res.SortKey, Type: a.keyType(),
		Shards: shards, Random: r.Parameters["suffix"] == randomSuffix, OneItem: a.oneItem(),
	}
	if a.onIndex() { // items are told apart by the table's key
		s.Sort = t.Resources[0].PartitionKey
	}
	if a.has(RollingKey) {
		return s
	}
	for _, k := range e.Keys[:min(len(e.Keys), max(1, e.fullKeys()))] {
		key := k.Key.Partition
		if a.pattern() == shardPattern {
			key = logicalKey(key)
		}
		if !slices.Contains(s.Keys, key) {
			s.Keys = append(s.Keys, key)
		}
	}
	return s
}

// keyType is the described type of the partition key; "" where unknown.
func (a *adviser) keyType() string {
	d := a.table.Description
	if d == nil {
		return ""
	}
	keys := d.Keys
	for _, x := range d.Indexes {
		if a.onIndex() && x.Name == a.res.ID.Index {
			keys = x.Keys
		}
	}
	for _, k := range keys {
		if k.Name == a.res.PartitionKey {
			return k.Type
		}
	}
	return ""
}

// What names what is spread, in words.
func (s Sharding) What() string {
	switch len(s.Keys) {
	case 0:
		return fmt.Sprintf("each %s over %d keys", s.attribute(), s.Shards)
	case 1:
		return fmt.Sprintf("%s over %d keys", s.Keys[0], s.Shards)
	}
	return fmt.Sprintf("%s over %d keys each", strings.Join(s.Keys, " and "), s.Shards)
}

func (s Sharding) attribute() string {
	if s.Attribute == "" {
		return "partition key"
	}
	return s.Attribute
}

// by names what a calculated suffix is a hash of.
func (s Sharding) by() string {
	if s.Sort == "" {
		return "an attribute that each reader of an item knows"
	}
	return "the item's " + s.Sort
}

// Reading says what reading takes once the key is spread.
func (s Sharding) Reading() []string {
	const halfUnit = 0.5 // the least that an eventually consistent query costs
	n := s.Shards
	all := fmt.Sprintf("reading all of the key takes %d queries side by side instead of one: %s or more read units instead of %s, and as long as the slowest of them",
		n, decimal(halfUnit*float64(n)), decimal(halfUnit))
	order := fmt.Sprintf("a sorted page is a merge of %d pages, and the place to go on from is %d cursors", n, n)
	switch {
	case s.OneItem:
		return []string{
			fmt.Sprintf("the item is read as %d parts (one BatchGetItem), %s or more read units instead of %s; a counter's parts are added up, others are merged", n, decimal(halfUnit*float64(n)), decimal(halfUnit)),
			"no condition holds over all parts, and a transaction over them is what made the one item hot",
		}
	case s.Random:
		return []string{all, order, "one item can't be found without asking every shard, unless its full key is stored elsewhere"}
	}
	one := "one item is still one GetItem: its suffix is a hash of " + s.by()
	if s.Index != "" {
		one = "one item is still one query: its suffix is a hash of " + s.by()
	}
	return []string{one, all, order}
}

// Migration are the steps to sharded keys, in order; after each of them all is well if
// nothing more is done.
func (s Sharding) Migration() []string {
	place, bare := s.Table, "the key without a suffix"
	if s.Index != "" {
		return s.indexMigration()
	}
	var out []string
	if s.Type == "N" || s.Type == "B" {
		out = append(out, fmt.Sprintf("%s is of type %s and takes no text suffix: make a table whose partition key is a string, and follow the steps into it", s.attribute(), s.Type))
	}
	if s.OneItem {
		return append(out,
			"readers first: deploy code that reads all shards and the item without a suffix, and adds them up or merges them",
			"then writers: deploy code that writes to one of the shards; the old item stays and counts as one part more",
			"fold the old item into a shard when it is quiet, in one transaction, and stop reading it",
			"to go back: writers drop the suffix, then the parts are folded into the item")
	}
	what := "each new or changed item"
	if s.Random {
		what = "each new item (one that is changed later wants a calculated suffix, or it ends up in two shards)"
	}
	return append(out,
		"dual read: deploy readers that read all shards and "+bare+"; where both hold an item the newer counts, by a version or a time in it",
		"write: deploy writers that put "+what+" under its sharded key; a delete deletes both. A dual write, to both keys, lets you go back without reading both, but leaves the old key as full as it is",
		fmt.Sprintf("back-fill: query %s in %s page by page, put each item into its shard if none is there yet, then delete the old one; hold it to %d write units a second, a tenth of a partition", bare, place, backfillRate),
		"cut over: when a query of "+bare+" finds nothing, readers leave it out",
		"to go back before that: writers drop the suffix, readers go on reading both")
}

// backfillRate is in write units a second.
const backfillRate = 100

func (s Sharding) indexMigration() []string {
	sharded := s.attribute() + "_shard"
	return []string{
		fmt.Sprintf("writers first: set one attribute more, %s, to the sharded key; leave it out of items that nobody looks for, and the index stays small (sparse)", sharded),
		fmt.Sprintf("make a new index on %s, with the attributes that its readers need and no more", sharded),
		fmt.Sprintf("back-fill: set %s on the old items, at no more than %d write units a second", sharded, backfillRate),
		fmt.Sprintf("readers next: query all shards of the new index side by side instead of %s", s.Index),
		fmt.Sprintf("cut over: when %s is read no more, delete it; until then its writes are refused as before", s.Index),
	}
}

// Snippet is source code in one language.
type Snippet struct {
	// Language is its name, Fence what Markdown calls it.
	Language, Fence string
	Text            string
}

// Code works out keys with suffixes, in the languages of the AWS SDKs used most. All
// of them agree on the suffix of an item. It is ASCII and ends in a line break.
func (s Sharding) Code() []Snippet {
	return []Snippet{
		{"Go", "go", s.fill(goSharding)},
		{"Python", "python", s.fill(pythonSharding)},
		{"JavaScript", "js", s.fill(jsSharding)},
		{"Java", "java", s.fill(javaSharding)},
	}
}

// fill puts names and keys into a language's code.
func (s Sharding) fill(l shardingCode) string {
	write, count := l.calculated, l.some
	if s.Random {
		write = l.random
	}
	n := fmt.Sprint(s.Shards)
	var cases strings.Builder
	for _, key := range s.Keys {
		one := strings.NewReplacer("KEY", l.quote(key), "COUNT", n).Replace(l.one)
		if !strings.Contains(cases.String(), one) {
			cases.WriteString(one)
		}
	}
	if len(s.Keys) == 0 {
		count = l.every
	}
	text := strings.NewReplacer("WRITE\n", write, "COUNT_OF\n", count, "IMPORTS\n", l.imports(s.Random)).Replace(l.frame)
	return strings.NewReplacer("CASES\n", cases.String(), "COUNT", n, "ATTRIBUTE", nameInComment(s.Attribute, "the partition key"), "BY", nameInComment(s.Sort, "an attribute that readers know")).Replace(text)
}

// nameInComment keeps an attribute's name that can't end a comment in any language.
func nameInComment(name, otherwise string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:#"
	if name == "" || len(name) > 64 || strings.Trim(name, plain) != "" {
		return otherwise
	}
	return name
}

// quoted writes a text as a string literal in ASCII: escape writes what isn't a plain
// character. What isn't UTF-8 becomes U+FFFD, which is how consoles show it too.
func quoted(text string, escape func(r rune) string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		if r >= ' ' && r <= '~' && !strings.ContainsRune("\"\\$`", r) {
			b.WriteRune(r)
		} else {
			b.WriteString(escape(r))
		}
	}
	b.WriteByte('"')
	return b.String()
}
