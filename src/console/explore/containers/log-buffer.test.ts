import { expect, test } from 'vitest';
import { LogBuffer } from './log-buffer.ts';

const limits = { lines: 3, characters: 1_000, lineLength: 100 };
const time = (second: number): string => `2026-01-02T03:04:0${second}.000000001Z`;

test('lines are split at line breaks, also across chunks, and from their timestamps', () => {
  const buffer = new LogBuffer(limits);
  buffer.write(`${time(1)} one\n${time(2)} t`);
  expect(buffer.lines).toEqual([{ time: time(1), text: 'one' }]);
  buffer.write('wo\nplain\n');
  expect(buffer.lines.map(({ text }) => text)).toEqual(['one', 'two', 'plain']);
  expect(buffer.lastTime).toBe(time(2));
});

test('an empty line has its timestamp only', () => {
  const buffer = new LogBuffer(limits);
  buffer.write(`${time(1)} \n`);
  expect(buffer.lines).toEqual([{ time: time(1), text: '' }]);
});

test('the last line without a line break is added when the log ends', () => {
  const buffer = new LogBuffer(limits);
  buffer.write('a\nb');
  buffer.end();
  buffer.end();
  expect(buffer.lines.map(({ text }) => text)).toEqual(['a', 'b']);
});

test('the oldest lines are dropped beyond the limits of lines and characters', () => {
  const buffer = new LogBuffer(limits);
  buffer.write('a\nb\nc\nd\ne\n');
  expect([buffer.lines.map(({ text }) => text), buffer.dropped]).toEqual([['c', 'd', 'e'], 2]);
  const short = new LogBuffer({ ...limits, characters: 5 });
  short.write('aaa\nbb\nccc\n');
  expect([short.lines.map(({ text }) => text), short.dropped]).toEqual([['bb', 'ccc'], 1]);
});

test('a line without an end does not grow beyond its limit', () => {
  const buffer = new LogBuffer({ ...limits, lineLength: 4 });
  for (let times = 0; times < 9; times++) buffer.write('x');
  expect(buffer.lines.map(({ text }) => text)).toEqual(['xxxx', 'xxxx']);
});

test('a log that is read again from its last line has no line twice', () => {
  const buffer = new LogBuffer(limits);
  buffer.write(`${time(1)} one\n${time(2)} two\n${time(3)} thr`);
  buffer.resume();
  buffer.write(`${time(2)} two\n${time(3)} three\n`);
  expect(buffer.lines.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
});
