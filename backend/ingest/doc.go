// Package ingest turns what OpenClaw's sources yield into entries that are
// judged, priced and masked, and hands them to a store: the index, or a tally
// that keeps nothing.
//
// A pass looks at every source of an installation, reads those that changed
// since the checkpoint the store has of them, and commits entries together
// with the checkpoint that covers them. A pass that is cancelled or killed is
// continued by the next one.
package ingest
