// Package index keeps what was read of OpenClaw's history in a SQLite database
// of Tidemark's own, so that a second look costs milliseconds.
//
// Entries and the checkpoint that covers them are committed in one
// transaction: killed at any moment, it goes on without loss or double count.
// An entry is unique by its session and id; a call counts once for all calls
// of which Call.Once is equal, in the session that began first. So reading a
// source twice, or a copy of it, changes nothing. The index is a cache: one
// that is damaged is set aside and made anew from the sources and the ledger.
//
// An Index may be used by several goroutines: one writes at a time, readers
// see the last commit. The methods of one Store that write belong to one
// goroutine at a time.
package index
