package app

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"tidemark/backend/memory"
	"tidemark/backend/settings"
)

// serviceName is the service's name for the system.
const serviceName = "tidemark"

// keeper is what of the system starts programs when a person logs in.
type keeper interface {
	// install puts the unit in place, has it started at every login, and starts
	// it now. What fails leaves nothing behind.
	install(unit) error
	remove(unit) error
	// running says whether the system runs it.
	running(unit) bool
}

// ServiceStatus is what `tidemark service status --json` prints.
type ServiceStatus struct {
	Installed bool   `json:"installed"`
	Running   bool   `json:"running"`
	Stale     bool   `json:"stale"`   // what is installed is not what would be installed now
	Path      string `json:"path"`    // of the file that says so to the system
	Program   string `json:"program"` // that would be started
	Detail    string `json:"detail"`
}

func (c *command) serviceCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "service",
		Short: "Start Tidemark when you log in, without a window",
		Long: `Has the system start Tidemark without a window when you log in, so that it
watches your agents from the first minute on: a user unit of systemd on Linux, a
launch agent on macOS, a task on Windows. Nothing of it needs an administrator.`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	yes := false
	install := &cobra.Command{
		Use: "install", Short: "Show what will be written where, and install it", Args: usage(cobra.NoArgs),
		Example: "  tidemark service install\n  tidemark service install --yes --state-dir /data/.openclaw",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.serviceInstall(cmd.Context(), cmd.InOrStdin(), yes)
		},
	}
	install.Flags().BoolVar(&yes, "yes", false, "install without asking")
	remove := &cobra.Command{
		Use: "remove", Short: "Stop it and take away every trace", Args: usage(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return c.serviceRemove() },
	}
	status := &cobra.Command{
		Use: "status", Short: "Say whether it is installed and runs", Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return c.serviceStatus(cmd.Context()) },
	}
	status.Flags().BoolVar(&c.json, "json", false, "print JSON")
	cmd.AddCommand(install, remove, status)
	return cmd
}

// unit gives what is installed for this program and these flags.
func (c *command) unit() (unit, error) {
	program, err := os.Executable()
	if err != nil {
		return unit{}, fmt.Errorf("find this program: %w", err)
	}
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real
	}
	args := []string{"serve", "--no-link"}
	// At login there are none of the variables of this terminal.
	state, data := cmp.Or(c.stateDir, os.Getenv("OPENCLAW_STATE_DIR")), cmp.Or(c.dataDir, os.Getenv(settings.DataDirVar))
	for _, f := range []struct{ name, value string }{{"--state-dir", state}, {"--data-dir", data}} {
		if f.value == "" {
			continue
		}
		path, err := filepath.Abs(f.value)
		if err != nil {
			return unit{}, fmt.Errorf("read %s: %w", f.name, err)
		}
		args = append(args, f.name, path)
	}
	if c.profile != "" {
		args = append(args, "--profile", c.profile)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return unit{}, fmt.Errorf("find your home: %w", err)
	}
	return unitFor(runtime.GOOS, home, program, args)
}

func (c *command) serviceInstall(ctx context.Context, in io.Reader, yes bool) error {
	u, err := c.unit()
	if err != nil {
		return err
	}
	if installed(u) == same {
		fmt.Fprintf(c.out, "Unchanged: %s\n", u.path)
		return nil
	}
	fmt.Fprintf(c.out, "This will be written to %s:\n\n%s\n", u.path, u.text)
	if !yes {
		if err := c.confirm(in); err != nil {
			return err
		}
	}
	k, err := systemKeeper()
	if err != nil {
		return err
	}
	if installed(u) == another {
		if err := k.remove(u); err != nil {
			return err
		}
	}
	if err := k.install(u); err != nil {
		return err
	}
	fmt.Fprintln(c.out, "Installed. Tidemark runs now, and at every login. For its pages run: tidemark serve")
	return ctx.Err()
}

// confirm asks a person at a terminal.
func (c *command) confirm(in io.Reader) error {
	if f, ok := in.(*os.File); ok {
		if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
			return usageError{errors.New("nobody is there to be asked: add --yes")}
		}
	}
	fmt.Fprint(c.err, "Install it? [y/N] ")
	answer, _ := bufio.NewReader(in).ReadString('\n') // an end without an answer is none
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return errors.New("nothing was installed")
	}
	return nil
}

func (c *command) serviceRemove() error {
	u, err := c.unit()
	if err != nil {
		return err
	}
	if installed(u) == none {
		fmt.Fprintln(c.out, "It is not installed.")
		return nil
	}
	k, err := systemKeeper()
	if err != nil {
		return err
	}
	if err := k.remove(u); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "Removed: %s\n", u.path)
	return nil
}

func (c *command) serviceStatus(ctx context.Context) error {
	u, err := c.unit()
	if err != nil {
		return err
	}
	s := ServiceStatus{Path: u.path, Program: u.program}
	switch installed(u) {
	case same:
		s.Installed, s.Detail = true, "It is started when you log in."
	case another:
		s.Installed, s.Stale, s.Detail = true, true, "What is installed starts another program or other folders. Run: tidemark service install"
	default:
		s.Detail = "It is not installed. Run: tidemark service install"
	}
	if k, err := systemKeeper(); err == nil && s.Installed {
		s.Running = k.running(u)
	}
	if data, err := c.dataPath(); err == nil && s.Installed && !s.Running {
		if o, err := dialOwner(ctx, data); err == nil {
			s.Running = true
			s.Detail += " A Tidemark that was started by hand runs."
			_ = o.close()
		}
	}
	if !c.json {
		word := map[bool]string{true: "runs", false: "does not run"}
		fmt.Fprintf(c.out, "%s\nIt %s now.\n%s\n", s.Detail, word[s.Running], s.Path)
		return nil
	}
	return json.NewEncoder(c.out).Encode(s)
}

// state is what is installed in the place of a unit.
type state int

const (
	none state = iota
	same
	another
)

func installed(u unit) state {
	text, err := readUnit(u)
	switch {
	case err != nil:
		return none
	case text == u.text:
		return same
	}
	return another
}

// noKeeper is the error where the system starts nothing for a person.
func noKeeper(why string) error {
	return &memory.Error{Code: memory.CodeUnavailable, Op: "install the service", Err: errors.New(why),
		Hint: "Nothing was written. Start `tidemark serve` at login by another way of your system."}
}
