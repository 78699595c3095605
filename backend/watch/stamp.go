package watch

import (
	"io/fs"
	"os"
	"time"
)

// stamp says whether a file is as it was.
type stamp struct {
	size, mtime int64 // bytes, Unix nanoseconds
	inode       uint64
	young       bool // it was written so shortly before that it may be again unseen
}

// File systems tell time in steps; what is written twice within one looks the
// same. Linux's step is at most 10 ms. One that tells whole seconds or two, as
// FAT does, shows no nanoseconds.
const (
	step       = 20 * time.Millisecond
	coarseStep = 2 * time.Second
)

func stampOf(info fs.FileInfo, now time.Time) stamp {
	s := stamp{size: info.Size(), mtime: info.ModTime().UnixNano(), inode: inode(info)}
	limit := step
	if info.ModTime().Nanosecond() == 0 {
		limit = coarseStep
	}
	s.young = now.Sub(info.ModTime()) < limit
	return s
}

// same tells that a file surely was not written between two stamps.
func (s stamp) same(later stamp) bool {
	return !s.young && s.size == later.size && s.mtime == later.mtime && s.inode == later.inode
}

// stampAt looks at a file, or the one that a link leads to.
func stampAt(path string, now func() time.Time) (stamp, bool) {
	at := now()
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return stamp{}, false
	}
	return stampOf(info, at), true
}
