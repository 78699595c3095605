// Package stats computes what a person wants to know from what the index
// holds: costs by day, agent, model and session, the fill of a context, what a
// compaction dropped, and problems that only sums show.
//
// Every view counts by the functions of this package, so that their totals
// agree. Money is summed in whole units: the order does not matter.
package stats
