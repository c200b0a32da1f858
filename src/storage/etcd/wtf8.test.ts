import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOfText, textOfBytes } from './wtf8.ts';

test('round-trips any text, including lone surrogates', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', '\udfff', '\ud83d', '😀'))), (parts) => {
      const text = parts.join('');
      expect(textOfBytes(bytesOfText(text))).toBe(text);
    }),
  );
});

test('encodes valid text as UTF-8', () => {
  expect([...bytesOfText('aé😀')]).toEqual([...Buffer.from('aé😀')]);
});

test('decodes invalid bytes as replacement characters', () => {
  expect(textOfBytes(Uint8Array.of(0x61, 0xff, 0x62))).toBe('a\ufffdb');
});
