package api

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tidemark/backend/memory"
)

// hosts are the names of this machine by which the listener may be called,
// with its port. Any other name belongs to somebody who made it lead here.
func (g *Guard) hosts() []string {
	port := ":" + strconv.Itoa(g.Port)
	return []string{"127.0.0.1" + port, "localhost" + port, "[::1]" + port}
}

// checkHost refuses requests for another host, which is what a page sends
// whose name was made to lead to this machine.
func (g *Guard) checkHost(r *http.Request) error {
	if slices.Contains(g.hosts(), strings.ToLower(r.Host)) {
		return nil
	}
	return forbidden("check host", "this address does not belong to Tidemark",
		fmt.Sprintf("Use http://127.0.0.1:%d/.", g.Port))
}

// methods are those that some part of the API has. OPTIONS is not among them,
// so that no other site is ever told that it may call.
var methods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
}

// allowed answers a request whose method is none of names, and says whether
// there is anything left to do.
func allowed(w http.ResponseWriter, r *http.Request, names ...string) bool {
	if slices.Contains(names, r.Method) {
		return true
	}
	w.Header().Set("Allow", strings.Join(names, ", "))
	writeError(w, &statusError{http.StatusMethodNotAllowed, &memory.Error{
		Code: memory.CodeInvalid, Op: "check method", Err: errors.New("this method is not used here"),
	}})
	return false
}

// checkPath refuses paths that mean another thing to a file system, or to the
// next one who decodes them, than they say.
func checkPath(r *http.Request) error {
	path, raw := r.URL.Path, r.URL.EscapedPath()
	if strings.HasPrefix(raw, "/") && !strings.Contains(raw, "//") && plainPath(path) {
		// What is a name here must not become a step up when decoded again.
		if again, err := url.PathUnescape(path); err != nil || again == path || plainPath(again) {
			return nil
		}
	}
	return &memory.Error{Code: memory.CodeInvalid, Op: "check path", Err: errors.New("this is no path of Tidemark")}
}

// plainPath says whether a decoded path has only printable text between its
// slashes, and no step to the same or a higher folder.
func plainPath(path string) bool {
	if !utf8.ValidString(path) || strings.ContainsFunc(path, func(c rune) bool { return c == '\\' || unicode.IsControl(c) }) {
		return false
	}
	for part := range strings.SplitSeq(path, "/") {
		if part == "." || part == ".." {
			return false
		}
	}
	return true
}

// checkSite refuses requests that the browser says another page made. Programs
// send neither header; a browser lets no page leave them out or change them.
func (g *Guard) checkSite(r *http.Request) error {
	for _, origin := range r.Header.Values("Origin") {
		host, ok := strings.CutPrefix(strings.ToLower(origin), "http://")
		if !ok || !slices.Contains(g.hosts(), host) {
			return forbidden("check origin", "another site may not call Tidemark", "")
		}
	}
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" {
			return forbidden("check origin", "another site may not call Tidemark",
				fmt.Sprintf("Type the address http://127.0.0.1:%d/ yourself instead of following a link.", g.Port))
		}
	}
	return nil
}

// checkWrite refuses requests that change something and that a form of another
// site could have sent: with a cookie there must be proof that our own page
// sent it, and the body must be of a type that no form has.
func checkWrite(r *http.Request, byCookie bool) error {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return nil
	}
	ours := r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") == "same-origin"
	if byCookie && !ours {
		return forbidden("check origin", "the request does not say which page made it",
			"Programs use the token instead of the cookie.")
	}
	if !byCookie && r.ContentLength == 0 {
		return nil
	}
	types := r.Header.Values("Content-Type")
	if len(types) == 1 {
		if kind, _, err := mime.ParseMediaType(types[0]); err == nil && kind == "application/json" {
			return nil
		}
	}
	return &statusError{http.StatusUnsupportedMediaType, &memory.Error{
		Code: memory.CodeInvalid, Op: "check content", Err: errors.New("the body is not declared as JSON"),
		Hint: "Send Content-Type: application/json.",
	}}
}

// forbidden is an error of a request that comes from the wrong place.
func forbidden(op, cause, hint string) error {
	return &memory.Error{Code: memory.CodeForbidden, Op: op, Err: errors.New(cause), Hint: hint}
}
