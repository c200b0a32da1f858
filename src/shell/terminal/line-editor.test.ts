import { expect, test } from 'vitest';
import { LineEditor } from './line-editor.ts';

/** The events of typed keys, and what the line of the terminal shows. */
function typed(...keys: readonly string[]): { readonly events: readonly string[]; readonly shown: string } {
  const events: string[] = [];
  let echoed = '';
  const editor = new LineEditor({
    echo: (text) => {
      echoed += text;
    },
    line: (text) => events.push(text),
    end: () => events.push('end'),
    signal: (name) => events.push(name),
  });
  for (const key of keys) editor.type(key);
  return { events, shown: show(echoed) };
}

/** Applies backspaces, as a terminal does. */
function show(text: string): string {
  let [shown, cursor] = ['', 0];
  for (const character of text) {
    if (character === '\b') cursor--;
    else {
      shown = shown.slice(0, cursor) + character + shown.slice(cursor + 1);
      cursor++;
    }
  }
  return shown.trimEnd();
}

test('a line is passed on when it is entered, and shown while it is typed', () => {
  expect(typed('ec', 'ho hi', '\r')).toEqual({ events: ['echo hi\n'], shown: 'echo hi' });
});

test('the cursor moves by keys, and characters are inserted and deleted there', () => {
  expect(typed('word', '\x1b[D\x1b[D', 'l', '\x1b[C\x7f')).toEqual({ events: [], shown: 'wold' });
  expect(typed('abc', '\x01', '\x1b[3~', 'X', '\x05', 'Y', '\r').events).toEqual(['XbcY\n']);
  expect(typed('one two', '\x17', '\r').events).toEqual(['one \n']);
  expect(typed('one two', '\x15', 'x\r').events).toEqual(['x\n']);
});

test('the arrow keys recall earlier lines', () => {
  expect(typed('first\r', 'second\r', '\x1b[A\x1b[A', '\r').events).toEqual(['first\n', 'second\n', 'first\n']);
  expect(typed('first\r', '\x1b[A', '\x1b[B', 'new\r').events).toEqual(['first\n', 'new\n']);
});

test('control characters end the input and send signals', () => {
  expect(typed('\x04').events).toEqual(['end']);
  expect(typed('part', '\x04').events).toEqual(['part']);
  expect(typed('dropped', '\x03', 'kept\r')).toEqual({ events: ['INT', 'kept\n'], shown: 'dropped^C\nkept' });
  expect(typed('\x1a', '\x1c').events).toEqual(['TSTP', 'QUIT']);
});

test('an escape sequence may arrive in parts', () => {
  expect(typed('ab', '\x1b', '[', 'D', 'X', '\r').events).toEqual(['aXb\n']);
});
