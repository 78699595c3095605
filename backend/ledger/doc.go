// Package ledger keeps what must not be lost in append-only Markdown that a
// person can read, search, edit and put under version control.
//
// A ledger has a folder for each installation and in it one for each agent.
// Files are only ever appended to, and synced before the caller goes on. A
// line that cannot be read costs itself and is counted.
package ledger
