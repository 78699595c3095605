//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// maxRSS gives the largest resident size that a process had, in bytes.
func maxRSS(p *os.ProcessState) int64 {
	u, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(u.Maxrss) // bytes there, kilobytes elsewhere
	}
	return int64(u.Maxrss) * 1024
}
