// Package api is the one local API: its routes and types, the guard that keeps
// strangers out, and the limits that no client gets around.
//
// One handler serves every host: the owner's own commands over a socket, the
// browser over 127.0.0.1 behind a Guard, the window through a bound method. Go
// types are the source of the front end's. Errors have one shape.
package api
