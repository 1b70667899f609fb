package collectors

import "context"

// TableNames lists the account's tables in the Region by name, as far as they come
// before ctx ends.
func (l *Live) TableNames(ctx context.Context) []string {
	names, _ := l.allTables(ctx)
	return names
}
