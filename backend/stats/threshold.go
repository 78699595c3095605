package stats

import "tidemark/backend/memory"

// Reserve is what the configuration says of the room that OpenClaw keeps free
// in a context, in tokens; nil where it says nothing.
type Reserve struct {
	Tokens *int64 // reserveTokens
	Floor  *int64 // reserveTokensFloor, which the newest era ignores
}

const (
	// defaultFloor is the room that OpenClaw keeps at least unless told
	// otherwise, in all versions that are known.
	defaultFloor = 20_000
	// defaultReserve is what counts where the floor was configured away.
	defaultReserve = 16_384
	// smallShare: the newest era reserves no more than this part of a window.
	smallShare = 4
)

// ThresholdOf gives the size of the context above which OpenClaw compacts it by
// itself. ok is false where that cannot be told: the session is known from the
// ledger alone, the newest era was given a reserve of its own, or nothing of
// the window is left.
func ThresholdOf(s *memory.SessionSummary, window int64, r Reserve) (tokens int64, ok bool) {
	var reserve int64
	switch era := newestEra(s); {
	case window <= 0 || era == "" || era == "sqlite" && r.Tokens != nil:
		return 0, false
	case era == "sqlite":
		reserve = min(defaultFloor, window/smallShare)
	default:
		reserve = max(valueOr(r.Tokens, defaultReserve), valueOr(r.Floor, defaultFloor))
	}
	return window - reserve, reserve < window
}

// newestEra gives the storage era that a session lived in last.
func newestEra(s *memory.SessionSummary) (era string) {
	for _, src := range s.Sources {
		era = max(era, src.Kind.Era()) // "sqlite" is the newer one and sorts last
	}
	return era
}

func valueOr(n *int64, otherwise int64) int64 {
	if n == nil {
		return otherwise
	}
	return *n
}
