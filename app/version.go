package app

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Version is the version of the product. A release build sets it.
var Version = "0.1.0-dev"

func (c *command) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  usage(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(c.out, "tidemark %s (%s, %s/%s%s)\n", Version, runtime.Version(), runtime.GOOS, runtime.GOARCH, revision())
			return err
		},
	}
}

func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return ", " + s.Value[:12]
		}
	}
	return ""
}
