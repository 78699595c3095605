// Package ledger keeps what must not be lost in append-only Markdown that a
// person can read, search, edit and put under version control.
//
// A ledger has a folder for each installation and in it one for each agent.
// Files are only ever appended to, and synced before the caller goes on. Of
// two lines about the same thing the later one counts. A line that cannot be
// read costs itself and is counted; fields that are not known are passed over.
package ledger
