// Command bench measures Tidemark against the limits it promises, on histories
// that it makes itself, and prints one table. Figures are medians of five runs;
// CPU is user and system time of the whole process as the kernel accounts it;
// what is compared runs in turns, so that a machine whose speed drifts does not
// favour one side.
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

const (
	rounds  = 5
	mainMB  = 200
	hugeMB  = 444
	ccusage = "20.0.24"
)

func main() {
	program := flag.String("program", "build/out/tidemark", "the program to measure")
	work := flag.String("work", "", "folder for the histories (default: a temporary one, removed afterwards)")
	part := flag.String("part", "", "measure one part alone: reading, index, huge or live")
	flag.Parse()
	if err := run(*program, *work, *part); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(program, work, part string) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	if work == "" {
		if work, err = os.MkdirTemp("", "tidemark-bench-"); err != nil {
			return err
		}
		defer os.RemoveAll(work)
	}
	fmt.Fprintln(os.Stderr, "making histories in", work)
	b := &bench{program: program, work: work}
	for _, p := range []struct {
		name    string
		needs   []corpus
		measure func()
	}{
		{"reading", []corpus{{"files", mainMB, 200, files}, {"plain", mainMB, 200, plain}, {"zstd", mainMB, 200, packed}, {"files5", 5, 5, files}, {"plain5", 5, 5, plain}, {"zstd5", 5, 5, packed}}, b.reading},
		{"index", []corpus{{"files", mainMB, 200, files}}, b.index},
		{"huge", []corpus{{"huge", hugeMB, 1, files}}, b.huge},
		{"live", []corpus{{"files5", 5, 5, files}, {"plain5", 5, 5, plain}}, b.live},
	} {
		if part != "" && part != p.name {
			continue
		}
		for _, c := range p.needs {
			if err := c.make(filepath.Join(work, c.name)); err != nil {
				return err
			}
		}
		p.measure()
	}
	return b.print()
}

// bench gathers the rows of the table.
type bench struct {
	program, work string
	rows          [][4]string
	failed        bool
}

// figures are what runs of one command used, by run.
type figures struct {
	cpu, wall []time.Duration
	rss       []int64 // bytes
	err       error
}

func (f *figures) add(cmd *exec.Cmd) {
	began := time.Now()
	err := cmd.Run()
	if err != nil && f.err == nil {
		f.err = fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	if cmd.ProcessState == nil {
		return
	}
	f.wall = append(f.wall, time.Since(began))
	f.cpu = append(f.cpu, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	f.rss = append(f.rss, maxRSS(cmd.ProcessState))
}

func median[T int64 | time.Duration | float64](v []T) T {
	if len(v) == 0 {
		return 0
	}
	s := append([]T(nil), v...)
	sort.Slice(s, func(i, j int) bool { return s[i] < s[j] })
	return s[len(s)/2]
}

// ratio is the median of the ratios run by run.
func ratio(a, b figures) float64 {
	var all []float64
	for i := range min(len(a.cpu), len(b.cpu)) {
		all = append(all, float64(a.cpu[i])/float64(b.cpu[i]))
	}
	return median(all)
}

func (b *bench) row(what, figure, limit string, ok bool) {
	verdict := "ok"
	if !ok {
		verdict = "OVER"
		b.failed = true
	}
	b.rows = append(b.rows, [4]string{what, figure, limit, verdict})
}

func (b *bench) scan(corpus string, args ...string) *exec.Cmd {
	cmd := exec.Command(b.program, append([]string{"scan", "--json", "--state-dir", filepath.Join(b.work, corpus), "--data-dir", filepath.Join(b.work, "data-"+corpus)}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+filepath.Join(b.work, "home"))
	return cmd
}

// reading compares reading without storing: files with another reader of the
// same, databases with files, large with small.
func (b *bench) reading() {
	other, why := b.other()
	names := []string{"files", "plain", "zstd", "files5", "plain5", "zstd5"}
	got := map[string]*figures{"ccusage": {}}
	for _, n := range names {
		got[n] = &figures{}
	}
	for round := range rounds + 1 {
		if other != nil {
			got["ccusage"].add(other())
		}
		for _, n := range names {
			got[n].add(b.scan(n, "--no-store"))
		}
		if round == 0 { // the first round warms the page cache
			for n := range got {
				got[n] = &figures{err: got[n].err}
			}
		}
	}
	cpu := func(n string) float64 { return median(got[n].cpu).Seconds() }
	if other != nil {
		r := ratio(*got["files"], *got["ccusage"])
		b.row(fmt.Sprintf("read %d MB of JSONL", mainMB), fmt.Sprintf("%.2f s CPU (ccusage %.2f s, ratio %.2f)", cpu("files"), cpu("ccusage"), r), "ratio 2", r <= 2)
	} else {
		b.row(fmt.Sprintf("read %d MB of JSONL", mainMB), fmt.Sprintf("%.2f s CPU (ccusage not run: %s)", cpu("files"), why), "ratio 2", true)
	}
	for _, n := range []string{"plain", "zstd"} {
		r := ratio(*got[n], *got["files"])
		b.row(fmt.Sprintf("the same in SQLite, %s rows", n), fmt.Sprintf("%.2f s CPU, ratio to JSONL %.2f", cpu(n), r), "ratio 1.5", r <= 1.5)
	}
	for _, n := range []string{"files", "plain", "zstd"} {
		small, large := cpu(n+"5"), cpu(n)
		grows := large / small / (mainMB / 5)
		b.row(fmt.Sprintf("linear from 5 to %d MB, %s", mainMB, n), fmt.Sprintf("%.3f s and %.2f s CPU, %.2f of linear", small, large, grows), "1.2", grows <= 1.2)
	}
	for n, f := range got {
		if f.err != nil {
			fmt.Fprintln(os.Stderr, "bench:", n, f.err)
			b.failed = true
		}
	}
}

// index measures the first index and a look at what did not change.
func (b *bench) index() {
	data := filepath.Join(b.work, "data-files")
	var first, warm figures
	for range rounds {
		os.RemoveAll(data)
		first.add(b.scan("files"))
	}
	for range rounds {
		warm.add(b.scan("files"))
	}
	source, stored := sizeOf(filepath.Join(b.work, "files", "agents")), sizeOf(data)
	cpu := median(first.cpu).Seconds()
	b.row(fmt.Sprintf("first index of %d MB", mainMB), fmt.Sprintf("%.2f s CPU", cpu), "4 s", cpu <= 4)
	part := 100 * float64(stored) / float64(source)
	b.row("index and ledger on disk", fmt.Sprintf("%.1f MB, %.0f %% of the source", float64(stored)/1e6, part), "25 %", part <= 25)
	wall := median(warm.wall)
	b.row(fmt.Sprintf("warm scan of an unchanged %d MB", mainMB), fmt.Sprintf("%.0f ms", wall.Seconds()*1000), "50 ms", wall < 50*time.Millisecond)
	for _, f := range []figures{first, warm} {
		if f.err != nil {
			fmt.Fprintln(os.Stderr, "bench:", f.err)
			b.failed = true
		}
	}
}

// huge measures the memory that one long session takes.
func (b *bench) huge() {
	for _, store := range []bool{false, true} {
		var f figures
		for range 3 {
			os.RemoveAll(filepath.Join(b.work, "data-huge"))
			if store {
				f.add(b.scan("huge"))
			} else {
				f.add(b.scan("huge", "--no-store"))
			}
		}
		mb := float64(median(f.rss)) / 1e6
		b.row(fmt.Sprintf("memory for one session of %d MB, %s", hugeMB, map[bool]string{false: "not stored", true: "indexed"}[store]), fmt.Sprintf("%.0f MB", mb), "200 MB", mb < 200)
		if f.err != nil {
			fmt.Fprintln(os.Stderr, "bench:", f.err)
			b.failed = true
		}
	}
}

// other gives the reader that ours is compared with, or why there is none.
func (b *bench) other() (cmd func() *exec.Cmd, why string) {
	dir := filepath.Join(b.work, "ccusage")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err.Error()
	}
	install := exec.Command("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", dir, "ccusage@"+ccusage, "@ccusage/ccusage-linux-x64@"+ccusage)
	if err := install.Run(); err != nil {
		return nil, "npm install failed"
	}
	bin := filepath.Join(dir, "node_modules", "@ccusage", "ccusage-linux-x64", "bin", "ccusage")
	if err := os.Chmod(bin, 0o755); err != nil {
		return nil, "no binary for this platform"
	}
	return func() *exec.Cmd {
		cmd := exec.Command(bin, "openclaw", "daily", "--json", "--offline")
		cmd.Env = append(os.Environ(), "HOME="+filepath.Join(b.work, "home"), "OPENCLAW_DIR="+filepath.Join(b.work, "files"))
		return cmd
	}, ""
}

func sizeOf(dir string) (size int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error { // what cannot be read counts nothing
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			size += info.Size()
		}
		return nil
	})
	return size
}

func (b *bench) print() error {
	width := [4]int{}
	rows := append([][4]string{{"what", "measured (median of 5)", "limit", ""}}, b.rows...)
	for _, r := range rows {
		for i, c := range r {
			width[i] = max(width[i], len([]rune(c)))
		}
	}
	for _, r := range rows {
		fmt.Printf("%-*s  %-*s  %-*s  %s\n", width[0], r[0], width[1], r[1], width[2], r[2], r[3])
	}
	if b.failed {
		return fmt.Errorf("something is over its limit or failed")
	}
	return nil
}
