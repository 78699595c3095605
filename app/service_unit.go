package app

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"path"
	"strings"
)

// unit is what the system reads to start Tidemark at login.
type unit struct {
	path    string // of the file; the name of the task on Windows
	text    string
	program string
}

// unitFor gives the unit for a system, by its Go name.
func unitFor(goos, home, program string, args []string) (unit, error) {
	for _, s := range append([]string{program}, args...) {
		if strings.ContainsAny(s, "\n\r\x00") || strings.Contains(s, "{{") {
			return unit{}, fmt.Errorf("a path or argument cannot be written for the system: %q", s)
		}
	}
	switch goos {
	case "linux":
		return unit{path.Join(home, ".config/systemd/user", serviceName+".service"), systemdUnit(program, args), program}, nil
	case "darwin":
		return unit{path.Join(home, "Library/LaunchAgents", serviceName+".plist"), launchAgent(program, args), program}, nil
	case "windows":
		return unit{`\Tidemark`, windowsTask(program, args), program}, nil
	}
	return unit{}, errors.New("on this system nothing is known that starts a program at login")
}

// systemdUnit is a user unit; see systemd.service(5), systemd.exec(5).
func systemdUnit(program string, args []string) string {
	line := systemdWord(program)
	for _, a := range args {
		line += " " + systemdWord(a)
	}
	return `[Unit]
Description=Tidemark watches what your OpenClaw agents remember

[Service]
ExecStart=` + line + `
Restart=on-failure
RestartSec=10
Nice=10
NoNewPrivileges=yes

[Install]
WantedBy=default.target
`
}

// systemdWord quotes a word of a command line as systemd reads it: backslashes
// and quotes with a backslash, and % and $, which it would replace, doubled.
func systemdWord(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `%`, `%%`, `$`, `$$`).Replace(s) + `"`
}

// launchAgent is a property list; see launchd.plist(5).
func launchAgent(program string, args []string) string {
	var b strings.Builder
	b.WriteString(xml.Header)
	b.WriteString(`<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>` + serviceName + `</string>
	<key>ProgramArguments</key>
	<array>
`)
	for _, a := range append([]string{program}, args...) {
		b.WriteString("\t\t<string>" + inXML(a) + "</string>\n")
	}
	b.WriteString(`	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
	<key>ProcessType</key>
	<string>Background</string>
</dict>
</plist>
`)
	return b.String()
}

// windowsTask is a task of the Task Scheduler that runs at logon with the
// rights of the person, as schtasks /XML reads it.
func windowsTask(program string, args []string) string {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = windowsWord(a)
	}
	return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo><Description>Tidemark watches what your OpenClaw agents remember</Description></RegistrationInfo>
  <Triggers><LogonTrigger><Enabled>true</Enabled></LogonTrigger></Triggers>
  <Principals><Principal id="Author"><LogonType>InteractiveToken</LogonType><RunLevel>LeastPrivilege</RunLevel></Principal></Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>7</Priority>
    <RestartOnFailure><Interval>PT1M</Interval><Count>10</Count></RestartOnFailure>
  </Settings>
  <Actions Context="Author"><Exec><Command>` + inXML(program) + `</Command><Arguments>` + inXML(strings.Join(words, " ")) + `</Arguments></Exec></Actions>
</Task>
`
}

// windowsWord quotes an argument as programs on Windows take them apart: in
// quotes, with backslashes before a quote doubled.
func windowsWord(s string) string {
	if s != "" && !strings.ContainsAny(s, " \t\"") {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	slashes := 0
	for _, r := range s {
		switch r {
		case '\\':
			slashes++
			continue
		case '"':
			b.WriteString(strings.Repeat(`\`, 2*slashes+1))
		default:
			b.WriteString(strings.Repeat(`\`, slashes))
		}
		slashes = 0
		b.WriteRune(r)
	}
	b.WriteString(strings.Repeat(`\`, 2*slashes) + `"`)
	return b.String()
}

func inXML(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer takes everything
	return b.String()
}
