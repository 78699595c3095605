// Package engine is the composition root: it connects the readers of OpenClaw's
// files, the index, the ledger and the API, and nothing else knows them all.
//
// An Engine owns a data directory. One process has one; others speak to it
// over its socket. Its methods may be called at once.
package engine
