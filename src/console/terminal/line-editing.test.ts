import { expect, test } from 'vitest';
import { lineEdits } from './line-editing.ts';

/** `|` stands for the cursor. */
function after(key: string, drawn: string): string {
  const cursor = drawn.indexOf('|');
  const line = lineEdits[key]?.({ text: drawn.replace('|', ''), cursor }) ?? { text: 'no such key', cursor: 0 };
  return `${line.text.slice(0, line.cursor)}|${line.text.slice(line.cursor)}`;
}

test('the cursor moves by line and by word', () => {
  expect(after('Ctrl-a', 'kubectl get| po')).toBe('|kubectl get po');
  expect(after('Ctrl-e', 'kubectl get| po')).toBe('kubectl get po|');
  expect(after('Alt-b', 'get deploy/web|')).toBe('get deploy/|web');
  expect(after('Alt-b', 'get deploy/|web')).toBe('get |deploy/web');
  expect(after('Alt-f', 'get| deploy/web')).toBe('get deploy|/web');
});

test('text is cut to the start, to the end and word by word', () => {
  expect(after('Ctrl-u', 'kubectl get| po')).toBe('| po');
  expect(after('Ctrl-k', 'kubectl get| po')).toBe('kubectl get|');
  expect(after('Ctrl-w', 'kubectl get deploy/web |')).toBe('kubectl get |');
  expect(after('Ctrl-w', '|')).toBe('|');
});

test('with several lines the keys act on the current line', () => {
  expect(after('Ctrl-a', 'one\ntw|o')).toBe('one\n|two');
  expect(after('Ctrl-u', 'one\ntw|o\nthree')).toBe('one\n|o\nthree');
  expect(after('Ctrl-e', 'o|ne\ntwo')).toBe('one|\ntwo');
});
