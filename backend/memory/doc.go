// Package memory is the vocabulary of Tidemark: the words that every other
// package uses for what OpenClaw agents did and what Tidemark keeps of it.
//
// It holds types, small pure methods and nothing else: no I/O, no clock, no
// import outside the standard library. Every other package may import it; it
// imports none of them.
package memory
