import { expect, test } from 'vitest';
import { FieldLineWriter } from './field-line.ts';
import { condenseGo, parseGo } from './go-source.ts';

const source = `/*
Copyright
*/
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const annotation = "untyped"

// Mode is a mode.
// +enum
type Mode string

const (
	// ModeFast is fast.
	ModeFast Mode = "Fast"
	ModeSlow = Mode("Slow") // is slow
)

// +protobuf.nullable=true
type Verbs []string

func (v Verbs) String() string {
	return "type Hidden struct {"
}

// +genclient
// +structType=atomic

// Thing is a thing.
type Thing struct {
	metav1.TypeMeta \`json:",inline"\`
	// +optional
	metav1.ObjectMeta \`json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"\`
	// Mode is required.
	Mode *Mode \`json:"mode" protobuf:"bytes,3,opt,name=mode"\`
	Parts []Part \`json:"parts,omitempty" patchStrategy:"merge" patchMergeKey:"name" protobuf:"bytes,2,rep,name=parts"\`
	// Verbs of it.
	// +default={"a":1}
	Verbs map[string]Verbs \`json:"verbs,omitempty" protobuf:"bytes,4,rep,name=verbs"\`
	Next *Part \`json:"next,omitempty" protobuf:"bytes,5,opt,name=next"\`
}

// +structType=atomic
type Part struct {
	// +required
	Name string \`json:"name,omitempty" protobuf:"bytes,1,opt,name=name"\`
	// +listType=map
	// +listMapKey=a
	// +listMapKey=b
	Same []Part \`json:"same,omitempty,omitzero" protobuf:"bytes,2,rep,name=same"\`
}
`;

const metaSource = 'package v1\ntype ObjectMeta struct {\n\tName string `json:"name"`\n}\n';

function writerOf(text: string): FieldLineWriter {
  const packages = new Map([
    ['example/v1', parseGo(condenseGo(text))],
    ['meta/v1', parseGo(metaSource)],
  ]);
  return new FieldLineWriter({
    get: (name) => packages.get(name),
    nameOf: (path) => (path === 'k8s.io/apimachinery/pkg/apis/meta/v1' ? 'meta/v1' : undefined),
    listsValues: () => true,
  });
}

test('keeps the declarations of types, their tags and the values of constants', () => {
  const condensed = condenseGo(source);
  expect(condensed).not.toMatch(/Copyright|Hidden|untyped|genclient|is slow|Thing is a thing/);
  expect(condenseGo(condensed).replaceAll('\t// +undocumented\n', '')).toBe(condensed.replaceAll('\t// +undocumented\n', ''));
  expect(parseGo(condensed).constants).toEqual([
    { name: 'ModeFast', type: 'Mode', value: 'Fast' },
    { name: 'ModeSlow', type: 'Mode', value: 'Slow' },
  ]);
});

test('writes a field line for each field of a struct', () => {
  const { lines, structs } = writerOf(source).linesOf('example/v1', 'Thing');
  expect(lines).toEqual([
    '*',
    'metadata meta.ObjectMeta',
    'mode?!#3 string {Fast|Slow}',
    'parts#2 []Part ^m(name)',
    'verbs#4 {}<[]string> ={"a":1}',
    'next?_ Part',
  ]);
  expect(structs).toEqual(['meta/v1.ObjectMeta', 'example/v1.Part', 'example/v1.Part']);
  expect(writerOf(source).linesOf('example/v1', 'Part').lines).toEqual(['@a', 'name!~ string', 'same% []Part @m(a,b)']);
});

test('reports types of unknown packages and lines that are no Go', () => {
  const unknown = 'package v1\nimport other "example.com/other"\ntype A struct {\n\tB other.B `json:"b"`\n}\n';
  expect(() => writerOf(unknown).linesOf('example/v1', 'A')).toThrow('the package of other.B is none of the catalog: example.com/other.B');
  expect(() => writerOf(unknown).linesOf('example/v1', 'C')).toThrow('has no struct C');
  expect(() => parseGo('func main() {}\n')).toThrow('cannot read the Go source line: func main() {}');
});
