import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOfText, textOfBytes } from './text-bytes.ts';

test('any text comes back from its bytes, halves of surrogate pairs too', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', '\udfff', '\ud83d', '😀'))), (parts) => {
      const text = parts.join('');
      expect(textOfBytes(bytesOfText(text))).toBe(text);
    }),
  );
});

test('the bytes of a text that is whole are its UTF-8', () => {
  expect([...bytesOfText('aé😀')]).toEqual([...Buffer.from('aé😀')]);
});

test('bytes that are no text become signs of replacement', () => {
  expect(textOfBytes(Uint8Array.of(0x61, 0xff, 0x62))).toBe('a\ufffdb');
});
