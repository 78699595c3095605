package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// header takes the name of the Go file. Linters know the second line.
const header = `// Written by build/types from %s. Do not edit: run "go run ./build/types".
/* eslint-disable */
`

// identifier is a name that TypeScript takes without quotes.
var identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// render gives the TypeScript text of structs.
func render(from string, structs []structType) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, header, from)
	for _, t := range structs {
		b.WriteByte('\n')
		comment(&b, "", t.doc)
		fmt.Fprintf(&b, "export interface %s ", t.name)
		if len(t.embeds) > 0 {
			fmt.Fprintf(&b, "extends %s ", strings.Join(t.embeds, ", "))
		}
		b.WriteString("{\n")
		for _, f := range t.fields {
			comment(&b, "  ", f.doc)
			fmt.Fprintf(&b, "  %s: %s;\n", property(f), f.ts)
		}
		b.WriteString("}\n")
	}
	return []byte(b.String())
}

// property gives the left side of a field.
func property(f field) string {
	name := f.name
	if !identifier.MatchString(name) {
		name = strconv.Quote(name)
	}
	if f.optional {
		name += "?"
	}
	return name
}

// comment writes a doc comment. What would end it is taken apart.
func comment(b *strings.Builder, indent string, doc []string) {
	switch len(doc) {
	case 0:
	case 1:
		fmt.Fprintf(b, "%s/** %s */\n", indent, closed(doc[0]))
	default:
		fmt.Fprintf(b, "%s/**\n", indent)
		for _, l := range doc {
			fmt.Fprintf(b, "%s\n", strings.TrimRight(indent+" * "+closed(l), " "))
		}
		fmt.Fprintf(b, "%s */\n", indent)
	}
}

func closed(line string) string { return strings.ReplaceAll(line, "*/", "* /") }
