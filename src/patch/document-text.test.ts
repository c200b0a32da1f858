import { expect, test } from 'vitest';
import type { JsonObject } from '../meta/index.ts';
import { documentText } from './document-text.ts';
import { applyJsonPatch } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';

const live: JsonObject = { kind: 'A', apiVersion: 'v1', spec: { z: 1, a: { y: 1, b: 2 } }, status: { s: 1, a: 1 } };

test('members stand in order of name where a merge patch looked, and as they stood elsewhere', () => {
  const text = documentText(applyMergePatch(live, { spec: { z: 2 } }), [live]);
  expect(text).toBe('{"apiVersion":"v1","kind":"A","spec":{"a":{"y":1,"b":2},"z":2},"status":{"s":1,"a":1}}');
});

test('a test of a JSON patch looks, too, and what it adds stays as sent', () => {
  const value = { q: 1, c: 2 };
  const patch = [
    { op: 'test', path: '/status/s', from: undefined, value: 1 },
    { op: 'add', path: '/n', from: undefined, value },
  ];
  const text = documentText(applyJsonPatch(live, patch), [live, value]);
  expect(text).toBe('{"apiVersion":"v1","kind":"A","n":{"q":1,"c":2},"spec":{"z":1,"a":{"y":1,"b":2}},"status":{"a":1,"s":1}}');
});

test('a list that takes an object’s place stays as it was sent, one that takes any other does not', () => {
  const patch = { spec: [{ z: 1, a: null }], n: [{ z: 1, a: null }] };
  expect(documentText(applyMergePatch(live, patch), [live, patch])).toBe(
    '{"apiVersion":"v1","kind":"A","n":[{"z":1}],"spec":[{"z":1,"a":null}],"status":{"s":1,"a":1}}',
  );
  const other = { kind: [{ z: 1, a: 2 }] };
  expect(documentText(applyMergePatch({ kind: 'A' }, other), [other])).toBe('{"kind":[{"a":2,"z":1}]}');
});
