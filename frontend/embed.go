// Package frontend holds the built front end. Vite writes it to dist, which git
// does not keep: in a clean clone there is only a placeholder, so that plain
// "go build" works, and Built says that there is no front end in the binary.
package frontend

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Files gives the files of the front end, with index.html at the top where
// there is one. Safe for concurrent use.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil { // only for a path that is not valid
		panic(err)
	}
	return files
}

// Built says whether the front end was built before the binary was. Where it
// was not, "npm ci && npm run build" in frontend does it.
func Built() bool {
	_, err := fs.Stat(Files(), "index.html")
	return err == nil
}
