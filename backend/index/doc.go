// Package index keeps what was read of OpenClaw's history in a SQLite database
// of Tidemark's own, so that a second look costs milliseconds.
//
// Entries and the checkpoint that covers them are committed in one
// transaction: killed at any moment, it goes on without loss or double count.
// An entry is unique by its session and id, a call by what Call.Once says, so
// reading a source twice changes nothing. The index is a cache: one that is
// damaged is set aside and made anew from the sources and the ledger.
//
// An Index may be used by several goroutines: one writes at a time, readers
// see the last commit.
package index
