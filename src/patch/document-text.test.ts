import { expect, test } from 'vitest';
import { type Json, type JsonObject, runSteps, stringifyJson } from '../meta/index.ts';
import { formatDocument, orderMembersInSteps } from './document-text.ts';
import { applyJsonPatch } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';

const live: JsonObject = { kind: 'A', apiVersion: 'v1', spec: { z: 1, a: { y: 1, b: 2 } }, status: { s: 1, a: 1 } };

test('members are sorted in parts visited by a merge patch, and in original order elsewhere', () => {
  const text = formatDocument(applyMergePatch(live, { spec: { z: 2 } }), [live]);
  expect(text).toBe('{"apiVersion":"v1","kind":"A","spec":{"a":{"y":1,"b":2},"z":2},"status":{"s":1,"a":1}}');
});

test('a JSON patch test visits its path, and added values stay as sent', () => {
  const value = { q: 1, c: 2 };
  const patch = [
    { op: 'test', path: '/status/s', from: undefined, value: 1 },
    { op: 'add', path: '/n', from: undefined, value },
  ];
  const text = formatDocument(applyJsonPatch(live, patch), [live, value]);
  expect(text).toBe('{"apiVersion":"v1","kind":"A","n":{"q":1,"c":2},"spec":{"z":1,"a":{"y":1,"b":2}},"status":{"a":1,"s":1}}');
});

test('a value that a JSON patch copies into itself is sorted where the path visited it', () => {
  const patch = [{ op: 'copy', from: '/spec', path: '/spec/a/y', value: undefined }];
  const text = formatDocument(applyJsonPatch(live, patch), [live]);
  expect(text).toContain('"spec":{"a":{"b":2,"y":{"a":{"b":2,"y":1},"z":1}},"z":1}');
});

test('a list that replaces an object stays as sent, one that replaces another value does not', () => {
  const patch = { spec: [{ z: 1, a: null }], n: [{ z: 1, a: null }] };
  expect(formatDocument(applyMergePatch(live, patch), [live, patch])).toBe(
    '{"apiVersion":"v1","kind":"A","n":[{"z":1}],"spec":[{"z":1,"a":null}],"status":{"s":1,"a":1}}',
  );
  const other = { kind: [{ z: 1, a: 2 }] };
  expect(formatDocument(applyMergePatch({ kind: 'A' }, other), [other])).toBe('{"kind":[{"a":2,"z":1}]}');
});

test('orders the members of deep and wide documents', () => {
  const deep = JSON.parse(`${'{"z":1,"a":'.repeat(5_000)}[]${'}'.repeat(5_000)}`) as Json;
  const wide = Object.fromEntries(Array.from({ length: 25_000 }, (_, at) => [`k${at}`, at % 100 === 0 ? { b: at, a: [null] } : at]));
  const patch: JsonObject = { spec: { z: 2, x: [{ q: 1, p: [{ b: 1, a: 2 }] }] }, wide };
  const sources = [live, patch];
  const document = applyMergePatch(live, patch);
  expect(stringifyJson(runSteps(orderMembersInSteps(document, sources)))).toBe(formatDocument(document, sources));
  let at = runSteps(orderMembersInSteps(applyMergePatch(live, { deep }), [live]));
  at = (at as JsonObject)['deep'] ?? null;
  for (let level = 0; level < 5_000; level++) {
    expect(Object.keys(at as JsonObject)).toEqual(['a', 'z']);
    at = (at as JsonObject)['a'] ?? null;
  }
});
