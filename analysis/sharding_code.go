package analysis

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// shardingCode is one language's code for sharded keys. In frame WRITE, COUNT_OF and
// IMPORTS stand for lines; elsewhere COUNT is the number of shards, KEY a literal,
// CASES the lines of one for each key, and ATTRIBUTE and BY are names for comments.
type shardingCode struct {
	frame, random, calculated string
	some, one, every          string
	imports                   func(random bool) string
	quote                     func(text string) string
}

// utf16Escape is \u escapes as of JavaScript and Java.
func utf16Escape(r rune) string {
	var out strings.Builder
	for _, unit := range utf16.Encode([]rune{r}) {
		out.WriteString(fmt.Sprintf(`\u%04x`, unit))
	}
	return out.String()
}

// longEscape is one escape whatever the character, as of Go and Python.
func longEscape(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// javaEscape keeps \u away from what Java would read as the end of a line or a string.
func javaEscape(r rune) string {
	if r < 0x80 {
		return fmt.Sprintf(`\%03o`, r)
	}
	return utf16Escape(r)
}

var goSharding = shardingCode{
	frame: `// Package keys spreads hot values of ATTRIBUTE over several keys.
package keys

IMPORTS

// count is over how many keys a value is spread; 0 leaves it as it is.
COUNT_OF

WRITE

// ReadKeys are the keys to read, the one without a suffix last; leave that out
// once it is empty.
func ReadKeys(key string) []string {
	var out []string
	for i := range count(key) {
		out = append(out, key+"#"+strconv.Itoa(i))
	}
	return append(out, key)
}
`,
	random: `// WriteKey is the key to write to: a shard drawn by chance.
func WriteKey(key string) string {
	n := count(key)
	if n == 0 {
		return key
	}
	return key + "#" + strconv.Itoa(rand.IntN(n))
}
`,
	calculated: `// ItemKey is the key to write an item to, and to read it from: by is BY of the item.
func ItemKey(key, by string) string {
	n := count(key)
	if n == 0 {
		return key
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(by))
	return key + "#" + strconv.Itoa(int(h.Sum32()%uint32(n)))
}
`,
	some: `func count(key string) int {
	switch key {
CASES
	}
	return 0
}
`,
	one:   "\tcase KEY:\n\t\treturn COUNT\n",
	every: "func count(string) int { return COUNT }\n",
	imports: func(random bool) string {
		if random {
			return "import (\n\t\"math/rand/v2\"\n\t\"strconv\"\n)\n"
		}
		return "import (\n\t\"hash/fnv\"\n\t\"strconv\"\n)\n"
	},
	quote: func(text string) string { return quoted(text, longEscape) },
}

var pythonSharding = shardingCode{
	frame: `"""Spreads hot values of ATTRIBUTE over several keys."""

IMPORTS

COUNT_OF


WRITE


def read_keys(key):
    """The keys to read, the one without a suffix last; leave that out once it is empty."""
    return [f"{key}#{i}" for i in range(count(key))] + [key]
`,
	random: `def write_key(key):
    """The key to write to: a shard drawn by chance."""
    n = count(key)
    return f"{key}#{random.randrange(n)}" if n else key
`,
	calculated: `def item_key(key, by):
    """The key to write an item to, and to read it from: by is BY of the item."""
    n = count(key)
    if not n:
        return key
    h = 0x811C9DC5  # FNV-1a
    for b in by.encode():
        h = (h ^ b) * 0x01000193 & 0xFFFFFFFF
    return f"{key}#{h % n}"
`,
	some: `def count(key):
    """Over how many keys a value is spread; 0 leaves it as it is."""
    return {
CASES
    }.get(key, 0)
`,
	one: "        KEY: COUNT,\n",
	every: `def count(key):
    """Over how many keys a value is spread."""
    return COUNT
`,
	imports: func(random bool) string {
		if random {
			return "import random\n\n"
		}
		return ""
	},
	quote: func(text string) string { return quoted(text, longEscape) },
}

var jsSharding = shardingCode{
	frame: `// Spreads hot values of ATTRIBUTE over several keys.
IMPORTS

// Over how many keys a value is spread; 0 leaves it as it is.
COUNT_OF

WRITE

// The keys to read, the one without a suffix last; leave that out once it is empty.
function readKeys(key) {
  return [...Array.from({ length: count(key) }, (_, i) => key + "#" + i), key];
}
`,
	random: `// The key to write to: a shard drawn by chance.
function writeKey(key) {
  const n = count(key);
  return n ? key + "#" + Math.floor(Math.random() * n) : key;
}
`,
	calculated: `// The key to write an item to, and to read it from: by is BY of the item.
function itemKey(key, by) {
  const n = count(key);
  if (!n) return key;
  let h = 0x811c9dc5; // FNV-1a
  for (const b of new TextEncoder().encode(by)) h = Math.imul(h ^ b, 0x01000193) >>> 0;
  return key + "#" + (h % n);
}
`,
	some: `function count(key) {
  switch (key) {
CASES
  }
  return 0;
}
`,
	one:     "    case KEY:\n      return COUNT;\n",
	every:   "function count() {\n  return COUNT;\n}\n",
	imports: func(bool) string { return "\"use strict\";\n" },
	quote:   func(text string) string { return quoted(text, utf16Escape) },
}

var javaSharding = shardingCode{
	frame: `import java.util.ArrayList;
import java.util.List;
IMPORTS

/** Spreads hot values of ATTRIBUTE over several keys. */
final class Shards {
    /** Over how many keys a value is spread; 0 leaves it as it is. */
COUNT_OF

WRITE

    /** The keys to read, the one without a suffix last; leave that out once it is empty. */
    static List<String> readKeys(String key) {
        List<String> out = new ArrayList<>();
        for (int i = 0; i < count(key); i++) {
            out.add(key + "#" + i);
        }
        out.add(key);
        return out;
    }
}
`,
	random: `    /** The key to write to: a shard drawn by chance. */
    static String writeKey(String key) {
        int n = count(key);
        return n == 0 ? key : key + "#" + ThreadLocalRandom.current().nextInt(n);
    }
`,
	calculated: `    /** The key to write an item to, and to read it from: by is BY of the item. */
    static String itemKey(String key, String by) {
        int n = count(key);
        if (n == 0) {
            return key;
        }
        int h = 0x811c9dc5; // FNV-1a
        for (byte b : by.getBytes(StandardCharsets.UTF_8)) {
            h = (h ^ (b & 0xff)) * 0x01000193;
        }
        return key + "#" + Integer.remainderUnsigned(h, n);
    }
`,
	some: `    static int count(String key) {
        switch (key) {
CASES
            default:
                return 0;
        }
    }
`,
	one:   "            case KEY:\n                return COUNT;\n",
	every: "    static int count(String key) {\n        return COUNT;\n    }\n",
	imports: func(random bool) string {
		if random {
			return "import java.util.concurrent.ThreadLocalRandom;\n"
		}
		return "import java.nio.charset.StandardCharsets;\n"
	},
	quote: func(text string) string { return quoted(text, javaEscape) },
}
