//go:build desktop

package app

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"tidemark/backend/api"
	"tidemark/backend/loopback"
	"tidemark/backend/settings"
	"tidemark/frontend"
)

// windowed says that this program was built with a window.
const windowed = true

// traceVar has the window tell when it is shown and what its page asks.
const traceVar = "TIDEMARK_TRACE"

//go:embed icon.png
var icon []byte

// window is the one window of a process. Wails gives its context when it
// starts; what is asked of it before waits.
type window struct {
	ready chan struct{} // closed when ctx is set
	ctx   context.Context

	file string // of its place
	mu   sync.Mutex
	at   place
}

// openWindow shows the window until it is closed for good.
func (c *command) openWindow(ctx context.Context, data string) error {
	if !frontend.Built() {
		return errors.New("the pages are not built into this program: build it with make")
	}
	began := time.Now()
	b, err := c.back(ctx, data)
	if err != nil {
		return err
	}
	// A person waits for the window: it is only found out now whether another
	// one was opened meanwhile.
	listener, err := loopback.ListenSocket(loopback.WindowPath(data))
	if err != nil {
		return errors.Join(err, b.end())
	}
	asked := ctx // ends with Ctrl-C in a terminal
	ctx, stop := context.WithCancel(ctx)
	w := &window{ready: make(chan struct{}), file: settings.WindowFile(data)}
	h := newHost(ctx, b.api, w)
	door := api.Server(h.routes())
	var group sync.WaitGroup
	group.Go(func() { _ = door.Serve(listener) })
	failed := make(chan error, 1)
	group.Go(func() {
		err := b.run(ctx)
		if err != nil && ctx.Err() == nil {
			failed <- err
			h.quit()
		}
	})
	closed := make(chan struct{})
	group.Go(func() {
		select {
		case <-asked.Done():
			h.quit()
		case <-closed:
		}
	})
	bridge := &Bridge{ctx: ctx, api: b.api, host: h.routes()}
	if os.Getenv(traceVar) != "" {
		bridge.answered = func(method, path string, status int, took time.Duration) {
			fmt.Fprintf(c.err, "%d ms: %s %s %d, took %.1f ms\n", time.Since(began).Milliseconds(), method, path, status, took.Seconds()*1000)
		}
	}
	err = wails.Run(w.options(c, h, bridge, began))
	close(closed)
	stop()
	_ = door.Close()
	group.Wait()
	select {
	case cause := <-failed:
		err = errors.Join(cause, err)
	default:
	}
	return errors.Join(err, b.end())
}

func (w *window) options(c *command, h *host, b *Bridge, began time.Time) *options.App {
	w.at = loadPlace(w.file)
	state := options.Normal
	if w.at.Maximised {
		state = options.Maximised
	}
	look := h.look()
	return &options.App{
		Title: "Tidemark", Width: w.at.Width, Height: w.at.Height, MinWidth: leastWidth, MinHeight: leastHeight,
		StartHidden: true, WindowStartState: state, BackgroundColour: background(look.Theme),
		AssetServer:              &assetserver.Options{Assets: frontend.Files(), Middleware: pages},
		Menu:                     menuOf(look.Language, w, h),
		Logger:                   wailsLog{},
		LogLevelProduction:       logger.WARNING,
		OnStartup:                w.started,
		OnDomReady:               func(context.Context) { w.drawn(c, began) },
		OnBeforeClose:            func(context.Context) bool { w.remember(); return h.beforeClose() },
		Bind:                     []any{b},
		EnableDefaultContextMenu: true,
		// The window is one that a person keeps open all day: drawing is left to
		// the processor, which every machine has and no driver breaks.
		Linux: &linux.Options{Icon: icon, ProgramName: "tidemark", WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
	}
}

// background is what is seen before the page is: the page's own ground.
func background(theme string) *options.RGBA {
	if theme == "dark" {
		return options.NewRGB(0x11, 0x18, 0x1d)
	}
	return options.NewRGB(0xfc, 0xfb, 0xf9)
}

// pages serves the page for the addresses of its views, under the policy that
// the loopback server sends.
func pages(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", api.ContentPolicy)
		if name := strings.TrimPrefix(r.URL.Path, "/"); name != "" && !strings.Contains(name, ".") && !strings.HasPrefix(name, "wails/") {
			r = r.Clone(r.Context())
			r.URL.Path = "/"
		}
		next.ServeHTTP(w, r)
	})
}

func (w *window) started(ctx context.Context) {
	w.ctx = ctx
	close(w.ready)
}

// drawn shows the window, whose page is there now.
func (w *window) drawn(c *command, began time.Time) {
	w.mu.Lock()
	at := w.at
	w.mu.Unlock()
	if screens, err := runtime.ScreenGetAll(w.ctx); err == nil {
		for _, s := range screens {
			if s.IsCurrent || len(screens) == 1 {
				at = at.on(s.Size.Width, s.Size.Height)
			}
		}
	}
	if at.Known && !at.Maximised {
		runtime.WindowSetSize(w.ctx, at.Width, at.Height)
		runtime.WindowSetPosition(w.ctx, at.X, at.Y)
	}
	runtime.WindowShow(w.ctx)
	if os.Getenv(traceVar) != "" {
		fmt.Fprintf(c.err, "window shown after %d ms\n", time.Since(began).Milliseconds())
	}
}

// remember keeps where the window is.
func (w *window) remember() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at.Maximised = runtime.WindowIsMaximised(w.ctx)
	if !w.at.Maximised && !runtime.WindowIsFullscreen(w.ctx) && !runtime.WindowIsMinimised(w.ctx) {
		w.at.Width, w.at.Height = runtime.WindowGetSize(w.ctx)
		w.at.X, w.at.Y = runtime.WindowGetPosition(w.ctx)
		w.at.Known = true
	}
	if err := w.at.save(w.file); err != nil {
		slog.Warn("the window's place could not be kept", "err", err)
	}
}

// wait gives the window's context.
func (w *window) wait() context.Context {
	<-w.ready
	return w.ctx
}

// Emit tells the page something.
func (w *window) Emit(name string, data any) { runtime.EventsEmit(w.wait(), name, data) }

// Show brings the window up.
func (w *window) Show() {
	ctx := w.wait()
	runtime.WindowShow(ctx)
	runtime.WindowUnminimise(ctx)
}

// Hide takes the window away; what is behind it goes on.
func (w *window) Hide() { runtime.WindowHide(w.wait()) }

// Quit closes the window for good.
func (w *window) Quit() { runtime.Quit(w.wait()) }

// PickFolder asks for a folder, "" where none is chosen.
func (w *window) PickFolder() (string, error) {
	return runtime.OpenDirectoryDialog(w.wait(), runtime.OpenDialogOptions{ShowHiddenFiles: true})
}

// SaveText asks where a text is to be saved, and saves it there.
func (w *window) SaveText(name, text string) error {
	path, err := runtime.SaveFileDialog(w.wait(), runtime.SaveDialogOptions{DefaultFilename: name})
	if err != nil || path == "" {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}

// Open shows a page of the web in the person's browser.
func (w *window) Open(url string) { runtime.BrowserOpenURL(w.wait(), url) }

var _ frame = (*window)(nil)

// wailsLog passes on what Wails has to say, but for texts of pages.
type wailsLog struct{}

func (wailsLog) Print(string)     {}
func (wailsLog) Trace(string)     {}
func (wailsLog) Debug(string)     {}
func (wailsLog) Info(string)      {}
func (wailsLog) Warning(m string) { slog.Warn("window", "detail", m) }
func (wailsLog) Error(m string)   { slog.Error("window", "detail", m) }
func (wailsLog) Fatal(m string)   { slog.Error("window", "detail", m); os.Exit(exitFailed) }
