package logs

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// stamp is a time as a line tells it.
type stamp struct {
	at       time.Time // UTC
	zoneless bool      // no zone is told; UTC is assumed
	american bool      // month/day/year is assumed
}

var (
	// isoWord is 2026-03-02T10:04:05.123Z and its kin: a blank for the T, a comma before
	// the fraction, slashes in the date, any zone or none.
	isoWord = regexp.MustCompile(`\b(20[0-9]{2})[-/]([01][0-9])[-/]([0-3][0-9])[T ]([0-2][0-9]:[0-5][0-9]:[0-6][0-9])(?:[.,]([0-9]{1,9}))?( ?Z\b| ?UTC\b| ?[+-][0-9]{2}:?[0-9]{2}\b)?`)
	// serverWord is the time of web servers' logs.
	serverWord = regexp.MustCompile(`\b([0-3][0-9]/[A-Z][a-z]{2}/20[0-9]{2}:[0-2][0-9]:[0-5][0-9]:[0-6][0-9] [+-][0-9]{4})\b`)
	// americanWord is what JavaScript's toLocaleString writes.
	americanWord = regexp.MustCompile(`\b([01]?[0-9]/[0-3]?[0-9]/20[0-9]{2}),? ([0-2]?[0-9]:[0-5][0-9]:[0-6][0-9])(?:\.[0-9]{1,9})? ([AP]M)\b`)
	// epochWord is a field of structured logs, in seconds or milliseconds.
	epochWord = regexp.MustCompile(`"(?:@?timestamp|@?[Tt]ime|ts|eventTime)"\s*:\s*"?([0-9]{10}(?:[0-9]{3})?)(?:\.[0-9]+)?\b`)
)

// timeOf finds the time that a line begins with, or that is a field of it.
func timeOf(line string) (s stamp, ok bool) {
	const beginning = 512 // bytes; what comes later is a message, which may tell of other times
	head := line[:min(len(line), beginning)]
	if strings.Contains(head, "20") {
		if m := isoWord.FindStringSubmatch(head); m != nil {
			return isoTime(m)
		}
	}
	if strings.Contains(line, `":`) {
		if m := epochWord.FindStringSubmatch(line); m != nil {
			n, err := strconv.ParseInt(m[1], 10, 64)
			if len(m[1]) == 10 {
				n *= 1000
			}
			return stamp{at: time.UnixMilli(n).UTC()}, err == nil
		}
	}
	if !strings.Contains(head, "/20") {
		return stamp{}, false
	}
	if m := serverWord.FindStringSubmatch(head); m != nil {
		at, err := time.Parse("02/Jan/2006:15:04:05 -0700", m[1])
		return stamp{at: at.UTC()}, err == nil
	}
	if m := americanWord.FindStringSubmatch(head); m != nil {
		at, err := time.Parse("1/2/2006 3:04:05 PM", m[1]+" "+m[2]+" "+m[3])
		return stamp{at: at, zoneless: true, american: true}, err == nil
	}
	return stamp{}, false
}

func isoTime(m []string) (s stamp, ok bool) {
	text := m[1] + "-" + m[2] + "-" + m[3] + "T" + m[4]
	zone := strings.ReplaceAll(strings.TrimSpace(m[6]), ":", "")
	layout := "2006-01-02T15:04:05"
	switch zone {
	case "", "Z", "UTC":
	default:
		text, layout = text+zone, layout+"-0700"
	}
	at, err := time.Parse(layout, text)
	return stamp{at: at.UTC(), zoneless: zone == ""}, err == nil
}
