// Package transcript turns one record of an OpenClaw transcript into a
// memory.Event, and a list of events into the path that the agent sees.
//
// The record is the same JSON in every storage era: a line of a JSONL file or
// a row of a database. It was described from OpenClaw 2026.2.24 to 2026.9.6;
// fields and types that came later are skipped or kept as KindUnknown.
//
// The decoder walks the bytes once, in any order of fields, and looks only at
// what is needed: long strings are jumped over without being decoded. It does
// no I/O and holds no reference to the record after it returns.
package transcript
