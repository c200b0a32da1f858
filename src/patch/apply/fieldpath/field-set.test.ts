import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Json, runSteps } from '../../../meta/index.ts';
import { FieldSet } from './field-set.ts';
import { FieldsV1 } from './fields-v1.ts';
import { formatPath, type PathElement } from './path-element.ts';

type Path = readonly PathElement[];

const element = fc.constantFrom('f:a', 'f:b', 'f:__proto__', 'k:{"name":"x"}', 'k:{"name":"y","port":80}', 'v:"s"', 'v:1', 'i:0');
const paths = fc.array(fc.array(element, { minLength: 1, maxLength: 4 }), { maxLength: 12 });

const decode = (fields: Json, codec = new FieldsV1()): FieldSet => runSteps(codec.decode(fields));

/** The naive model: paths as texts. */
const model = (list: readonly Path[]): ReadonlySet<string> => new Set(list.map((path) => JSON.stringify(path)));
const modelOf = (set: FieldSet): ReadonlySet<string> => model([...set.paths()]);
const filtered = (list: readonly Path[], holds: (path: Path) => boolean): ReadonlySet<string> => model(list.filter(holds));

test('a set contains each of its paths once', () => {
  fc.assert(
    fc.property(paths, (list) => {
      const set = FieldSet.fromPaths(list);
      expect(modelOf(set)).toEqual(model(list));
      expect([...set.paths()]).toHaveLength(model(list).size);
      for (const path of list) expect(set.has(path)).toBe(true);
    }),
  );
});

test('union, intersection and difference match those of the paths', () => {
  fc.assert(
    fc.property(paths, paths, (left, right) => {
      const [a, b] = [FieldSet.fromPaths(left), FieldSet.fromPaths(right)];
      const inRight = (path: Path): boolean => model(right).has(JSON.stringify(path));
      expect(modelOf(a.union(b))).toEqual(model([...left, ...right]));
      expect(modelOf(a.intersection(b))).toEqual(filtered(left, inRight));
      expect(modelOf(a.difference(b))).toEqual(filtered(left, (path) => !inRight(path)));
      expect(modelOf(a)).toEqual(model(left));
    }),
  );
});

test('the recursive difference also removes descendants', () => {
  fc.assert(
    fc.property(paths, paths, (left, right) => {
      const covered = (path: Path): boolean => path.some((_, index) => model(right).has(JSON.stringify(path.slice(0, index + 1))));
      const result = FieldSet.fromPaths(left).recursiveDifference(FieldSet.fromPaths(right));
      expect(modelOf(result)).toEqual(filtered(left, (path) => !covered(path)));
    }),
  );
});

test('operations without effect return the same set', () => {
  fc.assert(
    fc.property(paths, paths, (left, right) => {
      const [a, b] = [FieldSet.fromPaths(left), FieldSet.fromPaths(right)];
      const both = a.union(b);
      expect(both.union(a)).toBe(both);
      expect(a.isSubsetOf(both)).toBe(true);
      expect(both.isSubsetOf(a)).toBe(right.every((path) => a.has(path)));
      expect(a.difference(b.difference(a))).toBe(a);
      expect(a.equals(FieldSet.fromPaths([...left].reverse()))).toBe(true);
    }),
  );
});

test('encoding and decoding returns an equal set', () => {
  fc.assert(
    fc.property(paths, (list) => {
      const set = FieldSet.fromPaths(list);
      const read = decode(JSON.parse(JSON.stringify(new FieldsV1().encode(set))));
      expect(read.equals(set)).toBe(true);
    }),
  );
});

test('a codec caches encoded and decoded sets', () => {
  const codec = new FieldsV1();
  const set = FieldSet.fromPaths([['f:a']]);
  const fields = codec.encode(set);
  expect(codec.encode(set)).toBe(fields);
  expect(decode(fields, codec)).toBe(set);
});

test('members precede items, keys are sorted by name, and inner paths are marked by a dot', () => {
  const set = FieldSet.fromPaths([
    ['f:l', 'k:{"port":80,"protocol":"UDP"}', 'f:name'],
    ['f:l', 'k:{"port":80,"protocol":"TCP"}'],
    ['f:l', 'k:{"port":9}'],
    ['f:l', 'k:{"port":80,"protocol":"UDP"}'],
    ['f:b'],
    ['f:a', 'v:10'],
    ['f:a', 'v:9'],
    ['f:a', 'f:z'],
  ]);
  expect(JSON.stringify(new FieldsV1().encode(set))).toBe(
    '{"f:a":{"f:z":{},"v:9":{},"v:10":{}},"f:b":{},"f:l":{"k:{\\"port\\":9}":{},"k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}":{},' +
      '"k:{\\"port\\":80,\\"protocol\\":\\"UDP\\"}":{".":{},"f:name":{}}}}',
  );
});

test('key order is normalized, unknown element kinds are dropped, malformed ones are rejected', () => {
  const codec = new FieldsV1();
  const read = decode({ 'f:l': { 'k:{"b":1,"a":"x"}': {}, 'q:new': { 'f:deep': {} } } }, codec);
  expect([...read.paths()]).toEqual([['f:l', 'k:{"a":"x","b":1}']]);
  for (const wrong of ['nonsense', 'f', 'k:nope', 'i:x', 'v:']) expect(() => decode({ [wrong]: {} })).toThrow(SyntaxError);
  expect(() => decode({ 'f:a': 1 })).toThrow(SyntaxError);
});

test('formats a path as in errors', () => {
  expect(formatPath(['f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}', 'f:name'])).toBe('.spec.ports[port=80,protocol="TCP"].name');
  expect(formatPath(['f:finalizers', 'v:"a/b"'])).toBe('.finalizers[="a/b"]');
  expect(formatPath(['f:l', 'i:3'])).toBe('.l[3]');
  expect(formatPath(['f:m', 'k:{"a":{"x":1,"y":"z"}}'])).toBe('.m[a=x=1y="z"]');
});
