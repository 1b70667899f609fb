package tui

import (
	"strings"
	"testing"
)

var someTerms = []Term{
	{[]string{"adaptive capacity"}, "lets a busy partition use what others leave"},
	{[]string{"burst capacity", "burst"}, "kept for 300 seconds"},
	{[]string{"hot key"}, "one value of the partition key fills a partition"},
	{[]string{"partition"}, "serves 1,000 write units"},
	{[]string{"write sharding", "shard", "sharding"}, "spreads a key over several"},
}

func TestHelpAgainExplainsTheWordsOnTheScreen(t *testing.T) {
	m := still(Options{Paused: true, Terms: someTerms}, 80, 60, fixtures(t)["hot-key-tenant"])
	m.typed("5", "?")
	wants(t, m, "? again explains the words on the screen")
	m.typed("?")
	text := m.plain()
	at := func(s string) int {
		i := strings.Index(text, s)
		if i < 0 {
			t.Errorf("%q isn't there:\n%s", s, text)
		}
		return i
	}
	order := []int{at("on the screen that you come from"), at("one value of the partition key"), at("serves 1,000 write units"), at("kept for 300 seconds")}
	for i := 1; i < len(order); i++ {
		if order[i] < order[i-1] {
			t.Errorf("the order is %v:\n%s", order, text)
		}
	}
	if others := at(" others"); others < at("spreads a key over several") || others > at("lets a busy partition use") {
		t.Errorf("what isn't on the screen comes too early:\n%s", text)
	}
	if wrong := exact(m.frame(), 80, 60); wrong != "" {
		t.Error(wrong)
	}
	m.typed("/", "B", "u", "r", "enter")
	if text := m.plain(); !strings.Contains(text, "kept for 300 seconds") || strings.Contains(text, "serves 1,000 write units") {
		t.Errorf("looking for a term shows\n%s", text)
	}
	if m.filter != "" {
		t.Error("looking for a term filters keys")
	}
	m.typed("/", "x", "y", "enter")
	wants(t, m, "no term is like")
	m.typed("esc")
	wants(t, m, "serves 1,000 write units")
	m.typed("esc")
	if m.pane != evidencePane {
		t.Errorf("Esc leads to pane %s", m.pane.name())
	}
	m.typed("?", "?", "?")
	if m.pane != evidencePane {
		t.Errorf("a third ? leads to pane %s", m.pane.name())
	}
}

func TestHelpIsOfferedUntilAKeyIsPressed(t *testing.T) {
	m := still(Options{Paused: true}, 120, 40, fixtures(t)["hot-key-tenant"])
	m.fresh = true
	wants(t, m, "? explains")
	m.typed("t")
	if strings.Contains(m.plain(), "? explains") {
		t.Error("help is still offered")
	}
}
