package settings

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"tidemark/backend/memory"
)

// tokenBytes is how many random bytes a token has: nobody guesses 256 bits.
const tokenBytes = 32

// Token gives the token that opens the API over TCP: 32 random bytes in the
// URL-safe base64 of RFC 4648 without padding. It is kept in a file of mode
// 0600, so that it stays the same from start to start.
//
// A file that others can read, that belongs to another user, that is no plain
// file or that holds no token is not used: it is replaced by a new token, and
// Notices says so. The caller holds the lock of the directory, because two
// processes that both replace it would disagree.
func (d *Dir) Token() (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	token, fault, err := readToken(d.TokenFile())
	if err != nil {
		return "", &memory.Error{Code: memory.CodeUnavailable, Op: "read token", Err: err}
	}
	if token != "" {
		return token, nil
	}
	token = newToken()
	if err := WriteFile(d.TokenFile(), []byte(token+"\n"), fileMode); err != nil {
		return "", &memory.Error{Code: memory.CodeUnavailable, Op: "write token", Err: err}
	}
	if fault != "" {
		d.notice(memory.Problem{
			Code: NoticeToken, Path: d.TokenFile(),
			Message: "The token was replaced: " + fault + ".",
			Hint:    "Programs that use the old token must read the new one from the file.",
		})
	}
	return token, nil
}

// newToken makes a token.
func newToken() string {
	var b [tokenBytes]byte
	_, _ = rand.Read(b[:]) // never fails: the program ends if the system has no random numbers
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// readToken reads the token of path. It gives "" where there is none to use;
// fault then says why, or is empty where the file is missing.
func readToken(path string) (token, fault string, err error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", "", nil
	case err != nil:
		return "", "", err
	case info.IsDir():
		return "", "", fmt.Errorf("%s is a folder", path)
	case !info.Mode().IsRegular():
		return "", "it was not a plain file", nil
	}
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return "", "", err
	}
	defer func() { _ = f.Close() }() // only read
	if info, err = f.Stat(); err != nil {
		return "", "", err
	}
	if !ours(info) || openToOthers(info) {
		return "", "other users could read it", nil
	}
	text, err := io.ReadAll(io.LimitReader(f, 1<<10))
	if err != nil {
		return "", "", err
	}
	token = string(bytes.TrimSpace(text))
	if raw, err := base64.RawURLEncoding.Strict().DecodeString(token); err != nil || len(raw) != tokenBytes {
		return "", "the file was damaged", nil
	}
	return token, "", nil
}
