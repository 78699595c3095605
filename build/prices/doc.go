// Command prices refreshes the price table of backend/price.
//
// Run it at the top of the repository:
//
//	go run ./build/prices
//
// It fetches released packages with npm and pip, reads the model catalogs in
// them, and writes table.tsv and source.go. The sources stand in an order: the
// first one that lists a model decides its price, so newer ones come first,
// and older releases fill in models that have been retired since, which old
// transcripts still name. A price of zero throughout is not taken for a price:
// catalogs write it for what they do not know.
//
// A run that would lose the price of a model that the present table knows
// stops; -drop lets it.
package main
