package settings

import "io/fs"

// ours is always true: a folder of the user's profile grants others nothing
// on Windows, and the mode bits that Go shows there say nothing.
func ours(fs.FileInfo) bool { return true }

// openToOthers is always false, for the same reason as ours.
func openToOthers(fs.FileInfo) bool { return false }

// noFollow has no counterpart here.
const noFollow = 0

// syncDir has no counterpart here: the file system keeps its own journal of
// names.
func syncDir(string) error { return nil }
