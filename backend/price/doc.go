// Package price says what a call of a model cost, and where that number comes
// from.
//
// It knows four things: the cost that OpenClaw recorded, the prices that the
// person configured, a table of published prices that is compiled in, and
// which providers run on the person's own machine. Everything else is unknown,
// and unknown is an answer: a wrong price is worse than none, so names are
// matched as they are or by a few changes of spelling that cannot lead to
// another model, never by likeness.
//
// A price from the table is an estimate. The table holds the last price that
// its sources name, whenever the call was made, and knows no discounts.
//
// The package does no I/O. Lookup, ContextWindow and Local are safe for
// concurrent use; a Book is not.
package price
