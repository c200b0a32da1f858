import { expect, test } from 'vitest';
import { formatGoNumber, formatGoSyntax, formatGoValue, goType, sortMembers, sortMembersInSteps } from './go-values.ts';

test.each([
  [3, '3', 'int64'],
  [1e20, '1e+20', 'float64'],
  [12345678901234567890n, '1.2345678901234567e+19', 'float64'],
  [9223372036854775807n, '9223372036854775807', 'int64'],
  [123456.5, '123456.5', 'float64'],
  [1234567.5, '1.2345675e+06', 'float64'],
  [0.0001, '0.0001', 'float64'],
  [0.00001, '1e-05', 'float64'],
])('formats %s as %s of type %s', (value, shown, type) => {
  expect([formatGoNumber(value), goType(value)]).toEqual([shown, type]);
});

test('formats values with members sorted by name, with or without types', () => {
  const value = { b: [1, 'x', null], a: { c: 1234567.5 } };
  expect(formatGoValue(value)).toBe('map[a:map[c:1.2345675e+06] b:[1 x <nil>]]');
  expect(formatGoSyntax(value)).toBe(
    'map[string]interface {}{"a":map[string]interface {}{"c":1234567.5}, "b":[]interface {}{1, "x", interface {}(nil)}}',
  );
});

test('sorts members at all levels and preserves names and values', () => {
  const value = JSON.parse('{"b":[{"d":1,"c":null},[],2],"a":{"__proto__":{"y":1,"x":{}}}}') as unknown;
  expect(JSON.stringify(sortMembers(value))).toBe('{"a":{"__proto__":{"x":{},"y":1}},"b":[{"c":null,"d":1},[],2]}');
  let deep: unknown = { b: 0, a: 0 };
  for (let level = 0; level < 10_000; level++) deep = level % 2 === 0 ? [deep] : { z: 0, m: deep };
  let at = sortMembers(deep);
  for (let level = 0; level < 10_000; level++) at = Array.isArray(at) ? at[0] : (at as { readonly m: unknown }).m;
  expect(Object.keys(at as object)).toEqual(['a', 'b']);
  expect([sortMembers(5), sortMembers(null)]).toEqual([5, null]);
});

test('shares sorted parts and does not modify the argument', () => {
  const [unchanged, changed] = [{ a: [{ b: 1, c: {} }] }, { z: 1, y: undefined, x: 2 }];
  const value = { unchanged, list: [unchanged, changed] };
  const sorted = sortMembers(value) as { readonly unchanged: unknown; readonly list: readonly unknown[] };
  expect(sorted.unchanged).toBe(unchanged);
  expect(sorted.list[0]).toBe(unchanged);
  expect(JSON.stringify(sorted.list[1])).toBe('{"x":2,"z":1}');
  expect(Object.keys(changed)).toEqual(['z', 'y', 'x']);
  expect(sortMembers(unchanged)).toBe(unchanged);
});

test('sorts many members in steps', () => {
  const names = Array.from({ length: 35_001 }, (_, at) => `k${(at * 7_919) % 35_001}`);
  const wide = Object.fromEntries(names.map((name) => [name, { b: name, a: null }]));
  const steps = sortMembersInSteps({ list: [wide], deep: JSON.parse(`${'['.repeat(300)}{"b":1,"a":2}${']'.repeat(300)}`) });
  let count = 0;
  for (let step = steps.next(); ; step = steps.next(), count++) {
    if (!step.done) continue;
    const { list, deep } = step.value as { readonly list: readonly [object]; readonly deep: unknown };
    expect(JSON.stringify(deep)).toContain('{"a":2,"b":1}');
    expect(JSON.stringify(list[0])).toBe(
      `{${names
        .toSorted()
        .map((name) => `"${name}":{"a":null,"b":"${name}"}`)
        .join(',')}}`,
    );
    break;
  }
  expect(count).toBeGreaterThan(10);
});
