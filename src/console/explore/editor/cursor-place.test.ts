import { expect, test } from 'vitest';
import { type CursorPlace, cursorPlace } from './cursor-place.ts';

/** The place of `|`. */
function at(text: string): CursorPlace {
  return cursorPlace(text.replace('|', ''), text.indexOf('|'));
}
const where = (text: string): string => {
  const { path, at: kind, name } = at(text);
  return `${path.join('.')} ${kind}${name === '' ? '' : ` of ${name}`}`;
};

test('finds siblings and parents of a name', () => {
  expect(where('kind: Pod\nspec:\n  nodeName: a\n  ho|\n')).toBe('spec name');
  expect(at('kind: Pod\nspec:\n  nodeName: a\n  ho|\n  hostname: b\n').siblings).toEqual(['nodeName', 'hostname']);
  expect(where('kind: Pod\nmeta|')).toBe(' name');
});

test('finds the name of a value, also of an empty one', () => {
  expect(where('apiVersion: v1\nkind: Po|')).toBe(' value of kind');
  expect(where('spec:\n  type: |\n')).toBe('spec value of type');
});

test('finds list items, indented or not, and nested lists', () => {
  expect(where('spec:\n  containers:\n  - name: a\n    ima|')).toBe('spec.containers.[] name');
  expect(where('spec:\n  containers:\n    - name: a\n      ports:\n      - contai|')).toBe('spec.containers.[].ports.[] name');
  expect(where('spec:\n  containers:\n  - na|')).toBe('spec.containers.[] name');
  expect(where('spec:\n  containers:\n  - name: a\n  - |')).toBe('spec.containers.[] name');
  expect(where('spec:\n  containers:\n  - name: a\n  host|')).toBe('spec name');
  expect(at('spec:\n  containers:\n  - name: a\n    image: b\n  - na|').siblings).toEqual([]);
});

test('documents are separate', () => {
  const place = at('kind: A\nspec:\n  x: 1\n---\nkind: B\nsp|\n---\nkind: C\n');
  expect(place.path).toEqual([]);
  expect(place.document).toEqual(['kind: B', 'sp']);
});
