package main

import (
	"bufio"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	liveEntries = 60
	// What an entry may take from OpenClaw's write to the screen.
	liveMedian = 200 * time.Millisecond
	liveWorst  = time.Second
)

// live measures how long an entry takes from being written to being drawn in a
// browser, in a file and in a database whose log is open.
func (b *bench) live() {
	for _, c := range []struct {
		what, corpus, session string
		open                  func(state string) (appender, error)
	}{
		{"entry on screen, JSONL", "files5", "live-file", openFile},
		{"entry on screen, WAL", "plain5", "live-base", openBase},
	} {
		took, err := b.watch(c.corpus, c.session, c.open)
		if err != nil {
			b.row(c.what, err.Error(), "", false)
			continue
		}
		slices.Sort(took)
		mid, worst := took[len(took)/2], took[len(took)-1]
		b.row(c.what, fmt.Sprintf("%d ms median, %d ms worst of %d", mid.Milliseconds(), worst.Milliseconds(), len(took)), "200 ms, 1 s", mid <= liveMedian && worst <= liveWorst)
	}
}

// appender writes records as OpenClaw does.
type appender interface {
	add(seq int, record string) error
	close() error
}

type fileAppender struct{ path string }

func openFile(state string) (appender, error) {
	return fileAppender{filepath.Join(state, "agents", "main", "sessions", "live-file.jsonl")}, nil
}

func (f fileAppender) add(_ int, record string) error {
	out, err := os.OpenFile(f.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = out.WriteString(record + "\n")
	return errors.Join(err, out.Close())
}

func (f fileAppender) close() error { return nil }

type baseAppender struct{ db *sql.DB }

func openBase(state string) (appender, error) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(state, "agents", "main", "agent", "openclaw-agent.sqlite")+"?_pragma=journal_mode(wal)&_pragma=busy_timeout(2000)")
	return baseAppender{db}, err
}

func (a baseAppender) add(seq int, record string) error {
	_, err := a.db.Exec("INSERT INTO transcript_events(session_id, seq, event_json, created_at) VALUES('live-base', ?, ?, ?)", seq, record, time.Now().UnixMilli())
	return err
}

func (a baseAppender) close() error { return a.db.Close() }

// watch opens the session in a browser and gives how long each entry took.
func (b *bench) watch(corpus, session string, open func(string) (appender, error)) (took []time.Duration, err error) {
	state := filepath.Join(b.work, corpus)
	to, err := open(state)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, to.close()) }()
	at := func() string { return time.Now().UTC().Format("2006-01-02T15:04:05.000Z") }
	if err := to.add(0, fmt.Sprintf(`{"type":"session","version":3,"id":%q,"timestamp":%q,"cwd":"/w"}`, session, at())); err != nil {
		return nil, err
	}
	if err := to.add(1, liveRecord(1, at())); err != nil {
		return nil, err
	}
	link, stop, err := b.serve(state, filepath.Join(b.work, "data-live-"+corpus))
	if err != nil {
		return nil, err
	}
	defer stop()
	lines, leave, err := browse(link, "/session?agent=main&session="+url.QueryEscape(session))
	if err != nil {
		return nil, err
	}
	defer leave()
	for n := 2; n < liveEntries+2; n++ {
		time.Sleep(150*time.Millisecond + rand.N(500*time.Millisecond))
		began := time.Now()
		if err := to.add(n, liveRecord(n, at())); err != nil {
			return nil, err
		}
		seen, err := seenAt(lines, n)
		if err != nil {
			return nil, err
		}
		took = append(took, seen.Sub(began))
	}
	return took, nil
}

func liveRecord(n int, at string) string {
	return fmt.Sprintf(`{"type":"message","id":"l%d","parentId":"l%d","timestamp":%q,"message":{"role":"assistant","provider":"anthropic","model":"claude-sonnet-4-6","content":[{"type":"text","text":"mark-%d"}],"usage":{"input":%d,"output":20,"cacheRead":0,"cacheWrite":0,"totalTokens":%d,"cost":{"total":0.001}},"stopReason":"stop"}}`, n, n-1, at, n, 1000*n, 1000*n+20)
}

var linkOf = regexp.MustCompile(`http://127\.0\.0\.1:\d+/open\?k=\S+`)

// serve starts the program and gives a link to its pages.
func (b *bench) serve(state, data string) (link string, stop func(), err error) {
	cmd := exec.Command(b.program, "serve", "--state-dir", state, "--data-dir", data)
	cmd.Env = append(os.Environ(), "HOME="+filepath.Join(b.work, "home"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if link = linkOf.FindString(lines.Text()); link != "" {
			go io.Copy(io.Discard, out)
			return link, stop, nil
		}
	}
	stop()
	return "", nil, errors.New("the program prints no link")
}

// browse opens a page and gives the lines that tell what appears on it.
func browse(link, path string) (<-chan string, func(), error) {
	cmd := exec.Command("node", "bench/live.mjs", link, path)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	lines := make(chan string, 1000)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			lines <- s.Text()
		}
	}()
	leave := func() {
		in.Close()
		cmd.Wait()
	}
	for line := range lines {
		if line == "ready" {
			return lines, leave, nil
		}
	}
	leave()
	return nil, nil, errors.New("the browser did not open the page")
}

// longestWait is when an entry is given up for lost.
const longestWait = 20 * time.Second

// seenAt waits until the entry n is drawn and gives when that was.
func seenAt(lines <-chan string, n int) (time.Time, error) {
	give := time.After(longestWait)
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				return time.Time{}, errors.New("the browser ended")
			}
			number, when, _ := strings.Cut(line, " ")
			ms, err := strconv.ParseFloat(when, 64)
			if number == strconv.Itoa(n) && err == nil {
				return time.UnixMicro(int64(ms * 1000)), nil
			}
		case <-give:
			return time.Time{}, fmt.Errorf("entry %d did not come on screen within %s", n, longestWait)
		}
	}
}
