//go:build unix

package loopback

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

const (
	// maxSocketPath is the longest path that every system can bind: macOS has
	// 104 bytes for it and Linux 108, each with a final zero byte.
	maxSocketPath = 103
	// socketFolder and socketName place the socket in the data directory.
	socketFolder = "run"
	socketName   = "tidemark.sock"
	// windowSuffix tells the window's socket from the owner's; maxSocketPath
	// leaves room for it.
	windowSuffix = "w"
	// shortName replaces socketName where every byte counts.
	shortName = "s"
)

// SocketPath says where the owner of dataDir listens: in the data directory,
// or, where that path would be too long for a socket, in a short folder of
// this user's runtime directory or of the temporary directory. Both sides call
// it, so they must run as the same user and, in the last case, with the same
// TMPDIR. It creates nothing.
//
// dataDir should exist, because links in it are resolved: however the same
// directory is named, the answer is the same.
func SocketPath(dataDir string) string {
	dir := canonical(dataDir)
	if path := filepath.Join(dir, socketFolder, socketName); len(path)+len(windowSuffix) <= maxSocketPath {
		return path
	}
	// Eight bytes of the hash keep the folders of one user's data directories
	// apart; they need not resist anybody, since the folder is verified.
	sum := sha256.Sum256([]byte(dir))
	folder := fmt.Sprintf("tidemark-%d-%s", os.Geteuid(), hex.EncodeToString(sum[:8]))
	return filepath.Join(shortRoot(len(folder)+len(shortName)+len(windowSuffix)+2), folder, shortName)
}

// WindowPath says where the window of dataDir listens: beside the owner, which
// may be another process. As for the owner, the folder keeps others out.
func WindowPath(dataDir string) string { return SocketPath(dataDir) + windowSuffix }

// canonical gives the absolute path of dir without links, as far as it exists.
func canonical(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return filepath.Clean(dir)
	}
	if resolved, err := filepath.EvalSymlinks(abs); err == nil {
		return resolved
	}
	return abs
}

// shortRoot chooses the directory for a folder whose own path takes rest more
// bytes. /run/user is tried by name too, so that a program that was started
// without XDG_RUNTIME_DIR (by cron, say) finds the owner all the same.
func shortRoot(rest int) string {
	user := filepath.Join("/run/user", strconv.Itoa(os.Geteuid()))
	for _, root := range []string{os.Getenv("XDG_RUNTIME_DIR"), user} {
		if filepath.IsAbs(root) && len(root)+rest <= maxSocketPath && checkFolder(root) == nil {
			return filepath.Clean(root)
		}
	}
	if temp := filepath.Clean(os.TempDir()); filepath.IsAbs(temp) && len(temp)+rest <= maxSocketPath {
		return temp
	}
	return "/tmp"
}
