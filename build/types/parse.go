package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strconv"
	"strings"
)

// structType is one exported struct.
type structType struct {
	name   string
	doc    []string // lines without the comment marks
	embeds []string
	fields []field
}

// field is one field as JSON has it.
type field struct {
	name     string
	doc      []string
	ts       string
	optional bool
}

// goFile is a Go file by its name.
type goFile struct {
	name string
	src  []byte
}

// parse gives the exported structs of Go files in the order in which they
// stand. Other declarations are passed over.
func parse(files ...goFile) ([]structType, error) {
	set := token.NewFileSet()
	known := map[string]bool{}
	var specs []*ast.TypeSpec
	for _, f := range files {
		file, err := parser.ParseFile(set, f.name, f.src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("parse types: %w", err)
		}
		specs = append(specs, structsOf(file)...)
	}
	for _, spec := range specs {
		known[spec.Name.Name] = true
	}
	var found []structType
	for _, spec := range specs {
		t, err := parseStruct(spec, known)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", set.Position(spec.Pos()), err)
		}
		found = append(found, t)
	}
	return found, nil
}

// structsOf gives the declarations of a file's exported structs.
func structsOf(file *ast.File) (specs []*ast.TypeSpec) {
	for _, d := range file.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.TYPE {
			continue
		}
		for _, s := range decl.Specs {
			spec := s.(*ast.TypeSpec)
			if spec.Doc == nil {
				spec.Doc = decl.Doc
			}
			if _, ok := spec.Type.(*ast.StructType); ok && spec.Name.IsExported() {
				specs = append(specs, spec)
			}
		}
	}
	return specs
}

func parseStruct(spec *ast.TypeSpec, known map[string]bool) (structType, error) {
	t := structType{name: spec.Name.Name, doc: lines(spec.Doc)}
	if spec.TypeParams != nil {
		return t, fmt.Errorf("%s has type parameters", t.name)
	}
	for _, f := range spec.Type.(*ast.StructType).Fields.List {
		if len(f.Names) == 0 {
			base, ok := f.Type.(*ast.Ident)
			if !ok || !known[base.Name] || f.Tag != nil {
				return t, fmt.Errorf("%s embeds what is no struct of these files", t.name)
			}
			t.embeds = append(t.embeds, base.Name)
			continue
		}
		fields, err := parseField(f, known)
		if err != nil {
			return t, fmt.Errorf("%s: %w", t.name, err)
		}
		t.fields = append(t.fields, fields...)
	}
	return t, nil
}

// parseField gives what JSON has of a field: nothing where it is not exported
// or its tag is "-".
func parseField(f *ast.Field, known map[string]bool) ([]field, error) {
	if !f.Names[0].IsExported() {
		return nil, nil
	}
	name, options, err := jsonTag(f)
	if err != nil || name == "-" {
		return nil, err
	}
	if len(f.Names) > 1 {
		return nil, fmt.Errorf("fields %s and %s share the name %q", f.Names[0].Name, f.Names[1].Name, name)
	}
	ts, err := tsType(f.Type, known)
	if err != nil {
		return nil, fmt.Errorf("field %s: %w", f.Names[0].Name, err)
	}
	optional := false
	for _, o := range options {
		switch o {
		case "omitempty", "omitzero":
			optional = true
		default:
			return nil, fmt.Errorf("field %s: json option %q is not supported", f.Names[0].Name, o)
		}
	}
	doc := append(lines(f.Doc), lines(f.Comment)...)
	return []field{{name: name, doc: doc, ts: ts, optional: optional}}, nil
}

// jsonTag gives the name and the options of a field's json tag.
func jsonTag(f *ast.Field) (name string, options []string, err error) {
	text := ""
	if f.Tag != nil {
		if text, err = strconv.Unquote(f.Tag.Value); err != nil {
			return "", nil, fmt.Errorf("field %s: read tag: %w", f.Names[0].Name, err)
		}
	}
	parts := strings.Split(reflect.StructTag(text).Get("json"), ",")
	if parts[0] == "" {
		return "", nil, fmt.Errorf("field %s has no json name", f.Names[0].Name)
	}
	return parts[0], parts[1:], nil
}

// basic are the types of Go that have one of TypeScript. int64 is a number:
// tokens, bytes and calls stay below 2^53.
var basic = map[string]string{
	"string": "string", "bool": "boolean", "any": "unknown",
	"int": "number", "int32": "number", "int64": "number", "uint32": "number",
	"float32": "number", "float64": "number",
}

// tsType gives the TypeScript type of a Go type.
func tsType(e ast.Expr, known map[string]bool) (string, error) {
	switch e := e.(type) {
	case *ast.Ident:
		if known[e.Name] {
			return e.Name, nil
		}
		if ts, ok := basic[e.Name]; ok {
			return ts, nil
		}
		return "", fmt.Errorf("no TypeScript for %s", e.Name)
	case *ast.StarExpr:
		ts, err := tsType(e.X, known)
		return ts + " | null", err
	case *ast.ArrayType:
		ts, err := tsType(e.Elt, known)
		if strings.Contains(ts, " ") {
			ts = "(" + ts + ")"
		}
		return ts + "[]", err
	default:
		return "", fmt.Errorf("no TypeScript for a %T", e)
	}
}

// lines gives the lines of a comment without its marks.
func lines(c *ast.CommentGroup) []string {
	text := strings.TrimSpace(c.Text())
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
