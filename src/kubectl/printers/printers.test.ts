import { expect, test } from 'vitest';
import { formatGoSyntax, type JsonObject } from '../../meta/index.ts';
import { unifiedDiff } from '../../shell/unified-diff.ts';
import { readPlainYaml } from '../yaml/plain-yaml.ts';
import { readYaml } from '../yaml/read-yaml.ts';
import { JsonPath } from './jsonpath.ts';
import { alignColumns } from './table-writer.ts';
import { createTemplate } from './template/execute.ts';

const list: JsonObject = {
  kind: 'List',
  items: [
    { metadata: { name: 'a', labels: { 'app.kubernetes.io/name': 'x' } }, size: 1, on: true },
    { metadata: { name: 'b' }, size: 10, tags: ['p', 'q'] },
    { metadata: { name: 'c' }, size: 9 },
  ],
};

const paths: readonly (readonly [template: string, text: string])[] = [
  ['{.items[*].metadata.name}', 'a b c'],
  ['{.items[0:2].metadata.name}', 'a b'],
  ['{.items[-1:].metadata.name}', 'c'],
  ['{.items[?(@.size>5)].metadata.name}', 'b c'],
  ['{.items[?(@.on)].metadata.name}', 'a'],
  ['{.items[?(@.metadata.name=="b")].tags}', '["p","q"]'],
  ['{..name}', 'a b c'],
  ["{.items[0].metadata.labels['app\\.kubernetes\\.io/name']}", 'x'],
  ['{range .items[*]}{.metadata.name}{"\\t"}{.size}{"\\n"}{end}', 'a\t1\nb\t10\nc\t9\n'],
  ["{.items[1]['metadata.name','size']}", 'b 10'],
  ['no braces {.kind}', 'no braces List'],
  ['{.nothing}', ''],
  ['{range .items[*]}{.metadata.name};', 'a;b;c;;'],
  ['{range .items[*]}{.size}{end}!', '1109!'],
  ['{.items[1].tags[]} {.nothing[]} {.items[]}', 'p  {"metadata":{"labels":{"app.kubernetes.io/name":"x"},"name":"a"},"on":true,"size":1}'],
];

test.each(paths)('jsonpath %s', (template, text) => {
  expect(new JsonPath(template).print(list)).toBe(text);
});

test.each([
  ['{.items[?(@.size=="1")].on}', 'incompatible types for comparison'],
  ['{.items[?(@.metadata=="a")].on}', 'invalid type for comparison'],
  ['{.items[-4].on}', 'array index out of bounds: index -1, length 3'],
  ['{.kind[0]}', 'string is not array or slice'],
  ['{.items[0:9].on}', 'array index out of bounds: index 8, length 3'],
  ['{.items[2:1].on}', 'starting index 2 is greater than ending index 1'],
  ['{.items[0:3:0].on}', 'step must be > 0'],
  ['{.items[', 'unterminated array'],
  ['{.items[0}', 'unterminated array'],
  ['{.items[?(@.size', 'unterminated filter'],
  ['{.items[?(@.size==1)', 'unclosed array expect ]'],
])('rejects jsonpath %s', (template, message) => {
  expect(() => new JsonPath(template).print(list)).toThrow(message);
});

const templates: readonly (readonly [template: string, text: string])[] = [
  ['{{range .items}}{{.metadata.name}}{{if .on}}!{{end}} {{end}}', 'a! b c '],
  ['{{len .items}} {{index .items 1 "size"}}', '3 10'],
  ['{{with .nothing}}x{{else}}y{{end}}', 'y'],
  ['{{range $i, $e := .items}}{{if $i}},{{end}}{{$e.size}}{{end}}', '1,10,9'],
  ['{{printf "%s-%03d" .kind 7}}', 'List-007'],
  ['{{if and (eq .kind "List") (gt (len .items) 2)}}many{{end}}', 'many'],
  ['{{- .kind -}}  !', 'List!'],
  ['{{.nothing}}', '<no value>'],
  ['{{define "one"}}<{{$.size}}>{{end}}{{range .items}}{{template "one" .}}{{end}}', '<1><10><9>'],
  ['{{define "x"}}{{.}}{{end}}{{template "x"}}', '<no value>'],
  ['{{block "all" .items}}{{len .}}{{end}}', '3'],
  ['{{range .items}}{{if eq .metadata.name "b"}}{{continue}}{{end}}{{.metadata.name}};{{end}}', 'a;c;'],
  ['{{range .items}}{{if eq .metadata.name "b"}}{{break}}{{end}}{{.metadata.name}};{{end}}', 'a;'],
];

test.each(templates)('go-template %s', (template, text) => {
  expect(createTemplate(template)(list)).toBe(text);
});

test('rejects an unknown template function before any output', () => {
  expect(() => createTemplate('{{foo}}')).toThrow('template: output:1: function "foo" not defined');
});

test.each([
  ['{{break}}', 'template: output:1: {{break}} outside {{range}}'],
  ['{{range .items}}{{end}}{{continue}}', 'template: output:1: {{continue}} outside {{range}}'],
  ['{{define "x"}}{{break}}{{end}}', 'template: output:1: {{break}} outside {{range}}'],
  ['{{break 1}}', 'template: output:1: unexpected "1" in {{break}}'],
  ['{{define x}}{{end}}', 'template: output:1: unexpected "x" in define clause'],
  ['{{if true}}{{define "x"}}{{end}}{{end}}', 'template: output:1: unexpected <define> in command'],
  ['{{define "x"}}1', 'template: output:1: unexpected EOF'],
  ['{{define "x"}}1{{end}}{{define "x"}}2{{end}}', 'template: output:1: template: multiple definition of template "x"'],
  ['{{template "x" .}}', 'template: output:1:11: executing "output" at <{{template "x" .}}>: template "x" not defined'],
  [
    '{{define "r"}}{{template "r" .}}{{end}}{{template "r" .}}',
    'template: output:1:25: executing "r" at <{{template "r" .}}>: exceeded maximum template depth (100000)',
  ],
])("rejects go-template %s with kubectl's error message", (template, message) => {
  expect(() => createTemplate(template)(list)).toThrow(message);
});

test('pads columns to the widest cell', () => {
  expect(
    alignColumns([
      ['NAME', 'AGE'],
      ['long-name', '1s'],
    ]),
  ).toBe('NAME        AGE\nlong-name   1s\n');
});

test('formats values like Go', () => {
  expect(formatGoSyntax({ b: [1, null], a: 'x' })).toBe('map[string]interface {}{"a":"x", "b":[]interface {}{1, interface {}(nil)}}');
});

test('unifiedDiff prints three lines of context', () => {
  const before = ['1', '2', '3', '4', '5', '6', '7', '8', ''].join('\n');
  expect(unifiedDiff(before, before.replace('5', 'five'))).toBe('@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n');
});

const plain: readonly string[] = [
  'apiVersion: v1\nclusters:\n- cluster:\n    server: https://h:1\n  name: k\ncurrent-context: ""\npreferences: {}\n',
  'a:\n  - x\n  - z\nb: null\nc:\n  d: true\n',
  "users:\n- name: 'me'\n  user:\n    token: abc-1\n",
];

test.each(plain)('reads plain YAML without the full reader: %#', async (text) => {
  expect(readPlainYaml(text)).toEqual(await readYaml(text));
});

test.each([
  'a: 1',
  'a: yes',
  'a: &x b',
  'a: |\n  b',
  'a: [1]',
  'a: "\\n"',
  '? a',
  'a: b\na: c',
  'a: b # c',
  'a: {b: c}',
  'a:\n b: c\n  d: e',
])('returns undefined for YAML that needs the full reader: %j', (text) => {
  expect(readPlainYaml(text)).toBeUndefined();
});

test.each([
  ['{{.kind.x}}', 'template: output:1:7: executing "output" at <.kind.x>: can\'t evaluate field x in type interface {}'],
  ['a\n {{index .items 9}}', 'template: output:2:3: executing "output" at <index .items 9>: error calling index: index out of range: 9'],
  ['{{len}}', 'template: output:1:2: executing "output" at <len>: wrong number of args for len: want 1 got 0'],
  ['{{eq .kind 1}}', 'error calling eq: incompatible types for comparison: string and int'],
  ['{{range .kind}}{{end}}', 'executing "output" at <.kind>: range can\'t iterate over List'],
  ['{{$x}}', 'template: output:1: undefined variable "$x"'],
  ['{{if}}{{end}}', 'template: output:1: missing value for if'],
])('the failure of go-template %s has its place', (template, message) => {
  expect(() => createTemplate(template)(list)).toThrow(message);
});

test('a failing template prints what it wrote and a report', () => {
  const reports: string[] = [];
  const print = createTemplate('x{{.kind.y}}', { onFailure: (text) => reports.push(text) });
  expect(() => print({ kind: 'List' })).toThrow();
  expect(reports.join('')).toMatch(
    /^xError executing template: template: output:1:8: .*\n\ttemplate was:\n\t\tx\{\{\.kind\.y\}\}\n\traw data was:\n\t\t\{"kind":"List"\}\n/,
  );
});

test('missing keys are failures when they are not allowed', () => {
  expect(() => createTemplate('{{.nope}}', { allowMissing: false })(list)).toThrow('map has no entry for key "nope"');
  expect(createTemplate('{{.nope}}')(list)).toBe('<no value>');
});
