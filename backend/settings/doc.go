// Package settings knows the data directory: where it is, what it is called,
// who may read it, and which process owns it. It also keeps the two small
// files that belong to nobody else, the token and the preferences.
//
// Nothing in it listens, reads OpenClaw's files or knows what the index and
// the ledger hold; it only says where they are.
package settings
