package settings

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"tidemark/backend/memory"
)

// Secret gives 32 random bytes that stay the same: with them the ledger tells a
// forgotten text without holding it. They are kept in a file of mode 0600
// beside the ledger and not in it, so that who gets the ledger alone cannot try
// texts out. Without the file, forgotten texts are not recognised any more: it
// is never replaced. One that is damaged is an error.
func (d *Dir) Secret() ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	text, err := os.ReadFile(d.SecretFile())
	if errors.Is(err, fs.ErrNotExist) {
		text = []byte(newToken() + "\n")
		err = WriteFile(d.SecretFile(), text, fileMode)
	}
	if err != nil {
		return nil, &memory.Error{Code: memory.CodeUnavailable, Op: "read the secret of the ledger", Err: err}
	}
	key, err := base64.RawURLEncoding.Strict().DecodeString(string(bytes.TrimSpace(text)))
	if err != nil || len(key) != tokenBytes {
		return nil, &memory.Error{Code: memory.CodeCorrupt, Op: "read the secret of the ledger",
			Hint: fmt.Sprintf("The file %s is damaged. Put it back from a backup; where there is none, move it away: then texts that were forgotten may be kept again.", d.SecretFile())}
	}
	return key, nil
}
