// Package watch tells which of OpenClaw's files may have changed, soon after
// they did. It is a hint: its caller looks at the files, and a look at all of
// them is the truth. What it tells may be too much, never too little for long.
//
// Folders are watched, never files, so nothing of OpenClaw's is held open.
// Where the system gives no events (its limits are reached, a file system that
// sends none, a large folder on macOS) the folder is looked at by stat instead.
//
// Three goroutines hand each other sets of paths and never wait for the next
// one: inbox empties the system's queue, loop follows the folders, mail calls
// the caller back.
package watch
