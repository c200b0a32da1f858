import { expect, test } from 'vitest';
import { SettingsError } from '../settings.ts';
import { parseInfoString } from './info-string.ts';
import { readExamples } from './read-examples.ts';

test.each([
  'yaml tabplane cluster=shop expect="shop created"',
  "yaml tabplane cluster='shop' expect='shop created'",
  'yaml,tabplane,cluster=shop,expect="shop created"',
  'yaml {.tabplane cluster=shop expect="shop created"}',
  '{.yaml .tabplane cluster=shop expect="shop created"}',
])('parses the info string %s', (info) => {
  const { language, flags, values } = parseInfoString(info);
  expect({ language, flags: [...flags], values: [...values] }).toEqual({
    language: 'yaml',
    flags: ['tabplane'],
    values: [
      ['cluster', 'shop'],
      ['expect', 'shop created'],
    ],
  });
});

const source = `# Title

\`\`\`sh tabplane
kubectl get ns
\`\`\`

It prints:

\`\`\`text output
NAME
\`\`\`

\`\`\`yaml
kind: Pod
\`\`\`

1. In a list:

   ~~~yaml tabplane nodes=2
   kind: Pod
     indented

   ~~~

> \`\`\`sh tabplane user=alice
> kubectl get pods
> \`\`\`

\`\`\`\`markdown
\`\`\`sh tabplane
inside another block
\`\`\`
\`\`\`\`
`;

test('finds the marked blocks with their lines, also in lists and quotes, and the documented output after them', () => {
  const examples = readExamples(source, 'marked');
  expect(examples.map(({ line, code, output }) => ({ line, code, output: output?.text }))).toEqual([
    { line: 3, code: 'kubectl get ns\n', output: 'NAME\n' },
    { line: 19, code: 'kind: Pod\n  indented\n\n', output: undefined },
    { line: 25, code: 'kubectl get pods\n', output: undefined },
  ]);
  expect(examples.map(({ settings }) => settings)).toMatchObject([{ language: 'sh', nodes: 0 }, { nodes: 2 }, { user: 'alice' }]);
});

test('finds all blocks in the languages of examples when all are selected', () => {
  expect(readExamples(source, 'all').map(({ line }) => line)).toEqual([3, 13, 19, 25]);
});

test('an unclosed block extends to the end', () => {
  expect(readExamples('```sh tabplane\nkubectl get ns', 'marked')).toMatchObject([{ line: 1, code: 'kubectl get ns\n' }]);
});

test.each([
  ['sh tabplane nodes=many', 'nodes is a number up to 20, not "many"'],
  ['sh tabplane nodes=1000', 'nodes is a number up to 20, not "1000"'],
  ['sh tabplane names=real', 'names is svc or kubernetes, not "real"'],
  ['yaml tabplane file=../secret', 'file is the name of a file, not "../secret"'],
  ['yaml tabplane file=..', 'file is the name of a file, not ".."'],
  ['sh tabplane cluster="A b"', 'cluster is a lower-case name, not "A b"'],
  ['sh tabplane expct=a', 'unknown attribute "expct"; is it expect?'],
  ['go tabplane', 'examples are yaml, json, sh or console, not "go"'],
])('%s is refused', (info, message) => {
  const [example] = readExamples(`\`\`\`${info}\na\n\`\`\`\n`, 'marked');
  expect(example?.settings).toEqual(new SettingsError(message));
});

test('attributes may have the names that they have in the rendered block, as in MkDocs', () => {
  const [example] = readExamples('``` {.yaml .tabplane data-cluster=shop data-expect="shop created"}\na\n```\n', 'marked');
  expect(example?.settings).toMatchObject({ cluster: 'shop', expect: { kind: 'text', text: 'shop created' } });
});

test('attributes of generators are accepted', () => {
  const [example] = readExamples('```yaml tabplane title="pod.yaml" {1,3} showLineNumbers\na\n```\n', 'marked');
  expect(example?.settings).toMatchObject({ language: 'yaml' });
});
