// Package loopback is the only place of Tidemark that dials or listens.
//
// The owner of a data directory is reached in two ways: over a Unix socket in
// a folder that only this user can enter (a named pipe on Windows), and, where
// it was asked for, over TCP on 127.0.0.1. Nothing here reaches another
// machine, and Seal takes away the means by which a library might.
//
// The file system and the kernel say who is at the other end; the token that
// guards TCP is not checked here.
package loopback
