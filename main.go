// Tidemark shows what OpenClaw agents remember and keeps what they were told.
package main

import (
	"os"

	"tidemark/app"
)

func main() { os.Exit(app.Main(os.Args[1:], os.Stdout, os.Stderr)) }
