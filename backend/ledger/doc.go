// Package ledger keeps what must not be lost in append-only Markdown that a
// person can read, search, edit and put under version control. The format is
// described in docs/format/ledger.md.
//
// A ledger has a folder for each installation and in it one for each agent.
// Files are only ever appended to, and synced before the caller goes on; only
// Rewrite, which forgets, puts a file anew in the place of an old one. Of two
// lines about the same thing the later one counts. A line that cannot be read
// costs itself and is counted; fields that are not known are passed over. All
// texts are untrusted: whatever they hold, they are read back as they were and
// cannot be taken for anything else.
package ledger
