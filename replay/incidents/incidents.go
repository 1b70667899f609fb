package incidents

import (
	"bytes"
	"embed"
	"fmt"

	"github.com/hotpart/hotpart/replay"
)

//go:embed *.hotpart
var files embed.FS

// Incident is a built-in incident.
type Incident struct {
	// Name is what one types to open it.
	Name string
	// Title says in a few words what happens.
	Title string
	// Description is one paragraph for whoever chooses: the setting, and what can
	// be learnt from it.
	Description string
}

// All lists the incidents, the best to begin with first.
var All = []Incident{
	{
		"hot-key-tenant", "one tenant fills a partition",
		"An on-demand ledger table in which every item of a tenant shares one partition key. At midnight a tenant's month-end job " +
			"begins to write four times what a partition can take, and goes on. The table as a whole has capacity to spare.",
	},
	{
		"five-warm-tenants", "five warm keys share a partition",
		"Device telemetry, on demand. No key is hot by itself: five busy tenants happen to sit on the same partition and fill it " +
			"together for twelve minutes, until DynamoDB splits it. Sharding any one of them would be work in vain.",
	},
	{
		"table-capacity", "ordinary traffic outgrows the table",
		"A provisioned table without auto scaling. An evening's traffic, spread evenly over the keys, asks for more than the table is " +
			"allowed. It looks like a hot partition from afar, and isn't one.",
	},
	{
		"scaling-too-late", "auto scaling comes some minutes late",
		"A provisioned table with auto scaling. Traffic steps up faster than the scaling policy reacts, and a few minutes of refused " +
			"writes lie between the step and the new capacity.",
	},
	{
		"index-pressure", "an index refuses the table's writes",
		"An orders table, on demand, with an index by status. Nearly every new order is \"open\", so one key of the index takes all of " +
			"them, and what the index can't take is refused at the table, whose own keys are fine.",
	},
	{
		"large-items", "a few large items fill a partition",
		"A message table, on demand. The number of requests is modest, but one conversation's items have grown so large that each write " +
			"costs dozens of units. Counting requests shows nothing.",
	},
	{
		"new-peak", "an on-demand table meets a new peak",
		"Device shadows, on demand. A wave of devices comes back at once and the load goes far beyond twice any earlier peak, on keys that " +
			"are spread well. A quarter of an hour later DynamoDB has added partitions.",
	},
	{
		"two-at-once", "two incidents at the same time",
		"Notifications, provisioned. Within two minutes reads of one item reach a partition's ceiling, and an index runs out of its own " +
			"write capacity. Each has its own cause and its own cure; mixed together they make no sense.",
	},
	{
		"busy-not-hot", "a busy hour in which nothing is wrong",
		"Notifications, on demand. One key comes close to a partition's ceiling and stays below it. A good tool says that nothing has to be done.",
	},
}

// Open begins to read an incident.
func Open(name string) (*replay.Reader, error) {
	recording, err := files.ReadFile(name + ".hotpart")
	if err != nil {
		return nil, fmt.Errorf("no built-in incident is named %q", name)
	}
	return replay.NewReader(bytes.NewReader(recording))
}
