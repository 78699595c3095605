//go:build unix

package watch

import (
	"syscall"
	"testing"
	"time"
)

// processTime gives the processor time that this process has used.
func processTime(t testing.TB) time.Duration {
	var u syscall.Rusage
	ok(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
