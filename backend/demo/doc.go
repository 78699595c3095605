// Package demo invents an OpenClaw installation: the agents of a one-person
// pottery, months of days, every storage era side by side, and a truth to
// compare with. It can also go on talking, as a living gateway does.
//
// Everything in it is made up. The same seed and clock give the same bytes.
// Write only ever writes into the directory that it is given.
package demo
