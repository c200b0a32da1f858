import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeFrame, readFrames } from './frames.ts';

function fileOf(...texts: readonly string[]): Uint8Array {
  return new Uint8Array(Buffer.concat(texts.map(encodeFrame)));
}

test('a frame is its checksum, its length and its text in one line', () => {
  expect(new TextDecoder().decode(encodeFrame('{"é":1}'))).toMatch(/^[0-9a-f]{8} 00000008 {"é":1}\n$/);
});

test('texts come back as they were written', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
      expect(readFrames(fileOf(...texts, '\ufeff'))).toMatchObject({ texts: [...texts, '\ufeff'], end: 'whole' });
    }),
  );
});

test('a file cut anywhere gives its whole frames, and its end is torn', () => {
  const bytes = fileOf('{"a":1}', '{"b":"ü"}');
  const first = fileOf('{"a":1}').length;
  for (let size = 0; size < bytes.length; size++) {
    const { texts, intactBytes, end } = readFrames(bytes.slice(0, size));
    const isWhole = size === 0 || size === first;
    expect([texts.length, intactBytes, end]).toEqual([size < first ? 0 : 1, size < first ? 0 : first, isWhole ? 'whole' : 'torn']);
  }
});

test('zeros that a power cut left at the end are torn', () => {
  const bytes = fileOf('{"a":1}');
  expect(readFrames(new Uint8Array([...bytes, ...new Uint8Array(100)]))).toEqual({
    texts: ['{"a":1}'],
    intactBytes: bytes.length,
    end: 'torn',
  });
});

test('any bit that flips before the last frame is told as damage', () => {
  const bytes = fileOf('{"a":1}', '{"b":2}', '{"c":3}');
  const last = bytes.length - fileOf('{"c":3}').length;
  for (let bit = 0; bit < last * 8; bit++) {
    const hurt = bytes.slice();
    hurt[bit >> 3] = (hurt[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(readFrames(hurt).end).toBe('damaged');
    expect(readFrames(hurt).texts.length).toBeLessThan(2);
  }
});
