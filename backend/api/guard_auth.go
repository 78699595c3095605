package api

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"

	"tidemark/backend/memory"
)

// authenticate finds out whether the owner sent r: by the token, or else by
// the cookie of a session. Who shows a wrong token is refused, whatever else
// they have.
func (g *Guard) authenticate(r *http.Request) (byCookie bool, err error) {
	if shown := r.Header.Values("Authorization"); len(shown) > 0 {
		if len(shown) == 1 && g.tokenMatches(shown[0]) {
			return false, nil
		}
		return false, stranger("the token is not the one of this data directory")
	}
	if g.inSession(r) {
		return true, nil
	}
	return false, stranger("neither the token nor a session was shown")
}

// tokenMatches compares the value of an Authorization header with the token.
// Both are hashed first, so that the time it takes tells neither how much of
// it is right nor how long the token is.
func (g *Guard) tokenMatches(header string) bool {
	scheme, shown, ok := strings.Cut(header, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") || g.Token == "" {
		return false
	}
	a, b := sha256.Sum256([]byte(shown)), sha256.Sum256([]byte(g.Token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// stranger is the error of a request that shows nothing or the wrong thing.
func stranger(cause string) error {
	return &memory.Error{
		Code: memory.CodeUnauthorized, Op: "check token", Err: errors.New(cause),
		Hint: "Run: tidemark serve. Then open the link that it prints.",
	}
}

// refuseStranger answers a request of somebody who is not known: the API in
// its one shape, everything else with a page for people.
func refuseStranger(w http.ResponseWriter, r *http.Request, err error) {
	w.Header().Set("WWW-Authenticate", "Bearer")
	if strings.HasPrefix(r.URL.Path, "/api/") {
		writeError(w, err)
		return
	}
	writePage(w, r, http.StatusUnauthorized, pageStranger)
}
