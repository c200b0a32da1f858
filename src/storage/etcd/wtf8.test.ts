import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeWtf8, encodeWtf8 } from './wtf8.ts';

test('round-trips any text, including lone surrogates', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', '\udfff', '\ud83d', '😀'))), (parts) => {
      const text = parts.join('');
      expect(decodeWtf8(encodeWtf8(text))).toBe(text);
    }),
  );
});

test('encodes valid text as UTF-8', () => {
  expect([...encodeWtf8('aé😀')]).toEqual([...Buffer.from('aé😀')]);
});

test('decodes invalid bytes as replacement characters', () => {
  expect(decodeWtf8(Uint8Array.of(0x61, 0xff, 0x62))).toBe('a\ufffdb');
});
