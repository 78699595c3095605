// Command types writes the front end's types from those that the API sends.
//
// Run it at the top of the repository:
//
//	go run ./build/types
//
// It reads the exported structs of backend/api/types*.go with go/parser and
// writes frontend/src/api/types.gen.ts: one interface for each struct, with the
// names of its json tags and its comments. The same input gives the same
// output, byte for byte. With -check it writes nothing and fails where the file
// is not what it would write.
//
// What it does not know how to say in TypeScript (maps, functions, types of
// other packages, fields without a json tag) is an error and never a guess.
package main
