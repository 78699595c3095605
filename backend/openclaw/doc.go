// Package openclaw finds OpenClaw on this machine and reads what it keeps:
// installations and their configuration, agents and their workspaces, the rows
// of sessions, and transcripts, whichever of OpenClaw's storage eras they are
// in.
//
// # Where things are
//
// A state directory (~/.openclaw unless the environment says otherwise) holds
// openclaw.json, one directory per agent under agents/, workspaces, and from
// 2026.6 on a shared database under state/. Sessions lie in
// agents/<id>/sessions as sessions.json and one JSONL file each, or, from
// 2026.8 on, in agents/<id>/agent/openclaw-agent.sqlite. Resolve and Discover
// find state directories, LoadConfig reads the configuration, Agents lists who
// lives there, ReadRows reads sessions.json.
//
// # What the package promises
//
//   - It only reads. Nothing below a state directory is created, changed,
//     renamed, locked or touched, and no file is held open longer than one read.
//   - Files that hold credentials are never opened: see isCredentialFile.
//   - Whatever is on disk, it neither panics nor hangs. What cannot be read
//     costs only itself and is reported as a memory.Problem.
//   - Texts are returned as OpenClaw wrote them. Masking secrets is the
//     caller's business; messages of problems never quote a value.
package openclaw
