package app

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"tidemark/backend/api"
	"tidemark/backend/openclaw"
)

// served is a running `tidemark serve`.
type served struct {
	t     *testing.T
	state string
	data  string
	link  string
	stop  func()
}

var linkPattern = regexp.MustCompile(`http://127\.0\.0\.1:\d+/open\?k=\S+`)

// serveSample starts serving a state directory within the test.
func serveSample(t *testing.T, state string) *served {
	t.Helper()
	s := &served{t: t, state: state, data: filepath.Join(t.TempDir(), "data")}
	ctx, cancel := context.WithCancel(context.Background())
	out, errs := &lockedBuffer{}, &lockedBuffer{}
	c := &command{out: out, err: errs, env: openclaw.SystemEnv(), stateDir: state, dataDir: s.data}
	done := make(chan error, 1)
	go func() { done <- c.serve(ctx, 0, true) }()
	var once sync.Once
	s.stop = func() {
		once.Do(func() {
			cancel()
			if err := <-done; err != nil {
				t.Errorf("serve ended with %v: %s", err, errs.String())
			}
		})
	}
	t.Cleanup(s.stop)
	for s.link == "" {
		select {
		case err := <-done:
			t.Fatalf("serve ended at once: %v: %s", err, errs.String())
		case <-out.changed():
			s.link = linkPattern.FindString(out.String())
		}
	}
	return s
}

// lockedBuffer is a buffer that tells when it was written to.
type lockedBuffer struct {
	mu   sync.Mutex
	b    bytes.Buffer
	wait chan struct{}
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wait != nil {
		close(l.wait)
		l.wait = nil
	}
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// changed is closed when something is written, at once if something was.
func (l *lockedBuffer) changed() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := make(chan struct{})
	if l.b.Len() > 0 {
		close(c)
		return c
	}
	l.wait = c
	return c
}

// call runs a command against the same data directory.
func (s *served) call(args ...string) (out, errs string, code int) {
	var o, e bytes.Buffer
	code = Main(append(args, "--state-dir", s.state, "--data-dir", s.data), &o, &e)
	return o.String(), e.String(), code
}

func TestCommandsAskTheOwner(t *testing.T) {
	s := serveSample(t, sampleState(t))
	alone, _, _ := run0(t, s.state, "scan", "--json")
	got, errs, code := s.call("scan", "--json")
	if code != exitDone {
		t.Fatalf("scan beside the owner: %d: %s", code, errs)
	}
	if a, b := steady(alone, s.state), steady(got, s.state); a != b {
		t.Errorf("the owner says\n%s\nalone it is\n%s", b, a)
	}
	for _, args := range [][]string{{"sessions", "--json"}, {"costs", "--json"}, {"compactions", "--json"}, {"problems", "--json"}, {"rebuild", "--json"}} {
		if out, errs, code := s.call(args...); code != exitDone || !json.Valid([]byte(out)) {
			t.Errorf("%v: code %d, %s", args, code, errs)
		}
	}
	s.stop()
	if _, errs, code := s.call("scan"); code != exitDone {
		t.Errorf("scan after the owner ended: %d: %s", code, errs)
	}
}

// TestOwnerAnswersForOtherInstallations names a state directory that the owner
// did not know: it is looked at apart and never summed up with the other one.
func TestOwnerAnswersForOtherInstallations(t *testing.T) {
	s := serveSample(t, sampleState(t))
	other := &served{t: t, state: sampleState(t), data: s.data}
	var a, b api.Scan
	for into, of := range map[*api.Scan]*served{&a: s, &b: other} {
		out, errs, code := of.call("scan", "--json")
		if code != exitDone {
			t.Fatal(errs)
		}
		if err := json.Unmarshal([]byte(out), into); err != nil {
			t.Fatal(err)
		}
	}
	if a.Messages != 13 || b.Messages != 13 {
		t.Errorf("%d and %d messages, want 13 each", a.Messages, b.Messages)
	}
}

func TestSecondServeGivesALinkOfTheFirst(t *testing.T) {
	s := serveSample(t, sampleState(t))
	out, errs, code := s.call("serve")
	if code != exitDone {
		t.Fatalf("%d: %s", code, errs)
	}
	link := linkPattern.FindString(out)
	if link == "" || link == s.link {
		t.Fatalf("no new link in %q", out)
	}
	if port := func(l string) string { return strings.SplitAfterN(l, "/", 4)[2] }; port(link) != port(s.link) {
		t.Errorf("the link %s is not of the first, %s", link, s.link)
	}
}

// TestLinkOpensThePagesOnce goes the way of a browser.
func TestLinkOpensThePagesOnce(t *testing.T) {
	s := serveSample(t, sampleState(t))
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	base := strings.SplitAfter(s.link, "/open")[0]
	base = strings.TrimSuffix(base, "/open")
	browser := &http.Client{Jar: jar, Timeout: 10 * time.Second}
	if status, _ := get(t, browser, base+"/api/scan"); status != http.StatusUnauthorized {
		t.Errorf("without a session the API answers %d", status)
	}
	if status, _ := get(t, browser, s.link); status != http.StatusOK && status != http.StatusNotFound {
		t.Errorf("the link answers %d", status) // 404 where the pages are not built
	}
	status, body := get(t, browser, base+"/api/scan?refresh=1")
	if status != http.StatusOK || !strings.Contains(body, `"messages":13`) {
		t.Errorf("with a session the API answers %d: %s", status, body)
	}
	if status, _ := get(t, &http.Client{}, s.link); status != http.StatusForbidden {
		t.Errorf("the link used again answers %d", status)
	}
	if status, _ := get(t, browser, base+"/api/link"); status == http.StatusOK {
		t.Error("a link is given over TCP")
	}
	status, body = get(t, browser, base+"/api/session?agent=main&session=s-one")
	if status != http.StatusOK || strings.Contains(body, "hunter2") || !strings.Contains(body, "[masked") {
		t.Errorf("the password is not masked, or the session answers %d: %s", status, body)
	}
	if !strings.Contains(body, `\u003cstrong\u003enever\u003c/strong\u003e`) {
		t.Errorf("Markdown is not rendered: %s", body)
	}
}

func get(t *testing.T, c *http.Client, url string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	client := *c
	client.Transport = http.RoundTripper(testTransport)
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// testTransport reaches the server under test: the default one refuses.
var testTransport = &http.Transport{DisableKeepAlives: true}

func TestNothingIsLeftBehindWithoutStore(t *testing.T) {
	state := sampleState(t)
	data := filepath.Join(t.TempDir(), "data")
	var o, e bytes.Buffer
	if code := Main([]string{"scan", "--no-store", "--state-dir", state, "--data-dir", data}, &o, &e); code != exitDone {
		t.Fatal(e.String())
	}
	if found, err := filepath.Glob(filepath.Join(filepath.Dir(data), "*")); err != nil || len(found) != 0 {
		t.Errorf("left behind: %v %v", found, err)
	}
}

func TestExitCodes(t *testing.T) {
	state := sampleState(t)
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"done":              {[]string{"version"}, exitDone, ""},
		"unknown flag":      {[]string{"scan", "--nonsense"}, exitUsage, "unknown flag"},
		"unknown command":   {[]string{"nonsense"}, exitUsage, "unknown command"},
		"argument too many": {[]string{"scan", "here"}, exitUsage, "unknown command"},
		"unknown grouping":  {[]string{"costs", "--by", "week"}, exitUsage, "Use day, agent, model or session."},
		"unknown zone":      {[]string{"costs", "--tz", "Mars/Olympus"}, exitUsage, "Write it as Asia/Shanghai"},
		"bad day":           {[]string{"costs", "--from", "yesterday"}, exitUsage, "Write days as"},
		"range backwards":   {[]string{"costs", "--from", "2026-05-02", "--to", "2026-05-01"}, exitUsage, "comes after"},
	} {
		_, errs, code := run0(t, state, c.args...)
		if code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%s: code %d, want %d; says %q", name, code, c.code, errs)
		}
	}
	_, errs, code := run0(t, filepath.Join(t.TempDir(), "nothing"), "scan")
	if code != exitFailed || !strings.Contains(errs, "--state-dir") {
		t.Errorf("missing state directory: code %d, says %q", code, errs)
	}
}
