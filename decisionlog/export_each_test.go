package decisionlog

import "context"

// EachByWindow is Each with another number of rows at a time.
func (l *Log) EachByWindow(ctx context.Context, q Query, window uint64, take func(*Record) error) error {
	return l.each(ctx, q, window, take)
}
