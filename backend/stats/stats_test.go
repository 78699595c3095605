package stats_test

import (
	"time"

	"tidemark/backend/memory"
)

// at gives a moment from its text.
func at(s string) memory.Millis {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return memory.MillisOf(t)
}

// slice gives the usage of some calls.
func slice(agent, session, model string, when memory.Millis, calls int64, tokens int64, dollars float64) memory.UsageSlice {
	cost, ok := memory.MoneyOf(dollars)
	if !ok {
		panic("no such cost")
	}
	return memory.UsageSlice{Agent: agent, Session: session, Provider: "mock", Model: model, At: when, Last: when, Calls: calls, Price: memory.PriceRecorded,
		Usage: memory.Usage{Input: tokens, Output: tokens / 10, CacheRead: tokens / 2, CacheWrite: tokens / 4, CacheWrite1h: tokens / 8}, Cost: cost}
}

func live(path string) memory.SourceOf { return memory.SourceOf{Path: path, Kind: memory.SourceLive} }

func number(n int64) *int64 { return &n }
