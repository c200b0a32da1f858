import { yamlLanguage } from '@codemirror/lang-yaml';
import { expect, test } from 'vitest';
import { findField } from './field-place.ts';
import { readDocuments } from './yaml-nodes.ts';

const text = `metadata:
  labels:
    example.com/a: x
spec:
  containers:
    - name: a
      image: 5
    - name: b
`;
const [root] = readDocuments(yamlLanguage.parser.parse(text), text);

test.each([
  ['spec.containers[0].image', 'image'],
  ['metadata.labels[example.com/a]', 'example.com/a'],
  ['spec.containers[1].image', 'name'],
  ['spec.replicas', 'spec'],
  ['status', 'metadata'],
])('%s is marked at %s', (path, marked) => {
  if (root === undefined) throw new Error('no document');
  const { from, to } = findField(root, path);
  expect(text.slice(from, to)).toBe(marked);
});
