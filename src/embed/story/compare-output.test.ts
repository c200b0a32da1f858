import { expect, test } from 'vitest';
import { isSameOutput, normalizeOutput } from './compare-output.ts';

test.each([
  ['web-5d4f8c7b9-x2k4z  1/1  Running  2 (3m20s ago)  5d3h', 'web-<id>  1/1  Running  2 (<age> ago)  <age>'],
  ['uid: 0a1b2c3d-0000-4000-8000-0123456789ab', 'uid: <uid>'],
  ['creationTimestamp: "2026-01-01T00:00:00Z"', 'creationTimestamp: "<time>"'],
  ['  resourceVersion: "42"', '  resourceVersion: <version>'],
  ['  Resource Version:  42', '  Resource Version:  <version>'],
  ['CreationTimestamp:  Thu, 01 Jan 2026 00:00:01 +0000', 'CreationTimestamp:  <time>'],
  ['spec:\n    replicas:     3', 'spec:\n    replicas:  3'],
])('normalizes %s', (output, normalized) => {
  expect(normalizeOutput(`x\n${output}`)).toBe(`x\n${normalized}`);
});

test.each([
  ['NAME   AGE\nweb    5s\n', 'NAME         AGE\nweb          123d\n', true],
  ['NAME\n...\nb\n', 'NAME\na\na\nb', true],
  ['NAME\n...\nb\n', 'NAME\nb', true],
  ['a\n...\n', 'a\nb\nc', true],
  ['...\nc\n', 'a\nb\nc', true],
  ['a\n...\nb\n...\nc', 'a\nx\nb\ny\nc', true],
  ['a\n...\nb\n...\nc', 'a\nx\ny\nc', false],
  ['a\n...\na\n', 'a', false],
  ['a', 'b', false],
])('%j is the documented output of %j: %s', (documented, actual, isSame) => {
  expect(isSameOutput(documented, actual)).toBe(isSame);
});
