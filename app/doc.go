// Package app is the host: the command line, and in a later step the window.
// It decides which process owns the data directory and speaks to the owner
// where it is another one.
package app
