import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeFrame, readFrames } from './frames.ts';

function fileOf(...texts: readonly string[]): Uint8Array {
  return new Uint8Array(Buffer.concat(texts.map(encodeFrame)));
}

test('encodes a frame as checksum, length and text in one line', () => {
  expect(new TextDecoder().decode(encodeFrame('{"é":1}'))).toMatch(/^[0-9a-f]{8} 00000008 {"é":1}\n$/);
});

test('round-trips texts', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
      expect(readFrames(fileOf(...texts, '\ufeff'))).toMatchObject({ texts: [...texts, '\ufeff'], end: 'whole' });
    }),
  );
});

test('reads the whole frames of a truncated file, with a torn end', () => {
  const bytes = fileOf('{"a":1}', '{"b":"ü"}');
  const first = fileOf('{"a":1}').length;
  for (let size = 0; size < bytes.length; size++) {
    const { texts, intactBytes, end } = readFrames(bytes.slice(0, size));
    const isWhole = size === 0 || size === first;
    expect([texts.length, intactBytes, end]).toEqual([size < first ? 0 : 1, size < first ? 0 : first, isWhole ? 'whole' : 'torn']);
  }
});

test.each([
  ['zeros', new Uint8Array(100), '100 zero bytes stand where a record should'],
  ['a few zeros', new Uint8Array(3), '3 zero bytes stand where a record should'],
  ['other bytes', new TextEncoder().encode('{"b":2}'), 'what stands there is no record'],
  ['a record with another text', changed(fileOf('{"b":2}'), 20), 'the record of 26 bytes there does not match its checksum'],
])('reports %s at the end as damage, since an interrupted write leaves the beginning of a record', (_, tail, problem) => {
  const bytes = fileOf('{"a":1}');
  expect(readFrames(new Uint8Array([...bytes, ...tail]))).toEqual({
    texts: ['{"a":1}'],
    intactBytes: bytes.length,
    end: 'damaged',
    problem,
    textsAfter: [],
  });
});

test('finds the records after the damage', () => {
  const bytes = changed(fileOf('{"a":1}', '{"b":2}', '{"c":3}', '{"d":4}'), fileOf('{"a":1}').length + 20);
  expect(readFrames(bytes)).toMatchObject({ texts: ['{"a":1}'], textsAfter: ['{"c":3}', '{"d":4}'] });
});

function changed(bytes: Uint8Array, at: number): Uint8Array {
  const other = bytes.slice();
  other[at] = (other[at] ?? 0) ^ 1;
  return other;
}

test('reports any flipped bit before the last frame as damage', () => {
  const bytes = fileOf('{"a":1}', '{"b":2}', '{"c":3}');
  const last = bytes.length - fileOf('{"c":3}').length;
  for (let bit = 0; bit < last * 8; bit++) {
    const hurt = bytes.slice();
    hurt[bit >> 3] = (hurt[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(readFrames(hurt).end).toBe('damaged');
    expect(readFrames(hurt).texts.length).toBeLessThan(2);
  }
});
