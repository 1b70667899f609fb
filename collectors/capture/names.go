package capture

import (
	"slices"
	"strings"

	"github.com/hotpart/hotpart/analysis/telemetry"
)

// names gives every table of the capture one TableID, however little a document
// tells of it.
type names struct {
	tables map[string][]telemetry.TableID
	// home is the account and Region of what doesn't tell its own.
	home telemetry.TableID
	// indexes are the known index names of each table.
	indexes map[string]map[string]bool
}

func newNames(account, region string) *names {
	return &names{
		tables: map[string][]telemetry.TableID{}, indexes: map[string]map[string]bool{},
		home: telemetry.TableID{Account: account, Region: region},
	}
}

// learn takes what an ARN tells. Anything else is ignored.
func (n *names) learn(arn text) {
	id, ok := telemetry.ParseARN(string(arn))
	if !ok {
		return
	}
	if !slices.Contains(n.tables[id.Table], id.TableID) {
		n.tables[id.Table] = append(n.tables[id.Table], id.TableID)
	}
	n.learnIndex(id.Table, id.Index)
}

func (n *names) learnIndex(table, index string) {
	if index == "" {
		return
	}
	if n.indexes[table] == nil {
		n.indexes[table] = map[string]bool{}
	}
	n.indexes[table][index] = true
}

// settle is called when all ARNs are learned: where they agree on one account
// and Region, that is also home to what has no ARN.
func (n *names) settle() {
	accounts, regions := map[string]bool{}, map[string]bool{}
	for _, ids := range n.tables {
		for _, id := range ids {
			accounts[id.Account], regions[id.Region] = true, true
		}
	}
	delete(accounts, "")
	delete(regions, "")
	n.home.Account = firstNonEmpty(n.home.Account, only(accounts))
	n.home.Region = firstNonEmpty(n.home.Region, only(regions))
	for _, ids := range n.tables {
		for i := range ids {
			ids[i].Account = firstNonEmpty(ids[i].Account, n.home.Account)
			ids[i].Region = firstNonEmpty(ids[i].Region, n.home.Region)
		}
	}
}

func only(set map[string]bool) string {
	if len(set) != 1 {
		return ""
	}
	for s := range set {
		return s
	}
	return ""
}

func firstNonEmpty(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// table is the ID of the table of that name, which may also be given as an ARN.
// Account decides between tables of the same name; "" where it isn't told.
func (n *names) table(name, account string) telemetry.TableID {
	if id, ok := telemetry.ParseARN(name); ok {
		name, account = id.Table, id.Account
	}
	known := n.tables[name]
	for _, want := range []string{account, n.home.Account} {
		for _, id := range known {
			if want != "" && id.Account == want {
				return id
			}
		}
	}
	if len(known) > 0 {
		return known[0]
	}
	id := telemetry.TableID{Account: firstNonEmpty(account, n.home.Account), Region: n.home.Region, Table: name}
	n.tables[name] = []telemetry.TableID{id}
	return id
}

func (n *names) resource(name, index, account string) telemetry.ResourceID {
	id := n.table(name, account)
	n.learnIndex(id.Table, index)
	return id.WithIndex(index)
}

// byRule finds the table or index whose name stands in a rule's name between the
// kind and the time: TABLE or TABLE-INDEX. Both may contain hyphens, so known
// names are compared whole, longest first.
func (n *names) byRule(rule string) (id telemetry.ResourceID, ok bool) {
	middle := ruleSubject(rule)
	var best telemetry.ResourceID
	for table := range n.tables {
		if middle == table && len(table) > len(best.Table) {
			best = n.table(table, "").Resource()
		}
		for index := range n.indexes[table] {
			if middle == table+"-"+index && len(table) > len(best.Table) {
				best = n.table(table, "").WithIndex(index)
			}
		}
	}
	return best, best.Table != ""
}

// ruleSubject is a rule's name without prefix, kind and time.
func ruleSubject(rule string) string {
	parts := strings.SplitN(rule, "-", 3)
	if len(parts) < 3 {
		return ""
	}
	subject := parts[2]
	if at := strings.LastIndexByte(subject, '-'); at >= 0 && isDigits(subject[at+1:]) {
		subject = subject[:at]
	}
	return subject
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
