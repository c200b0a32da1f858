import { expect, test } from 'vitest';
import {
  type Base64Encoding,
  base64ToBytes,
  base64UrlToBytes,
  bytesToBase64,
  bytesToBase64Url,
  checkBase64,
  decodeBase64,
  normalizeBase64,
} from './base64.ts';

function refusal(read: () => string): string {
  try {
    return read();
  } catch (error) {
    return String((error as Error).message).replace('illegal base64 data at input byte ', '@');
  }
}

test('invalid base64 is reported at the same byte as in Go', () => {
  const texts = ['***', 'not base64!', 'AAEC_w==', 'abc', 'ab=c', 'ab=', 'a===', 'YQ==\n', 'YR==', 'YQ==YQ==', 'é', ''];
  const expected = ['@0', '@3', '@4', '@0', '@2', '@3', '@1', 'YQ==', 'YQ==', '@4', '@0', ''];
  expect(texts.map((text) => refusal(() => normalizeBase64(text)))).toEqual(expected);
});

test('each variant has its alphabet, and the raw one has no padding', () => {
  const resultsOf = (form: Base64Encoding): readonly string[] =>
    ['-_8=', '+/8=', '-_8', 'a', 'abcde', 'YQ==', 'Y\nQ', ''].map((text) => refusal(() => String(checkBase64(text, form) ?? 'good')));
  expect(resultsOf('url')).toEqual(['good', '@0', '@0', '@0', '@4', 'good', '@1', 'good']);
  expect(resultsOf('raw-url')).toEqual(['@3', '@0', 'good', '@0', '@4', '@2', 'good', 'good']);
});

test('encoding and decoding returns the same bytes for any length', () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256);
  expect(base64ToBytes(bytesToBase64(bytes))).toEqual(bytes);
  expect(base64UrlToBytes(bytesToBase64Url(bytes))).toEqual(bytes);
  expect(bytesToBase64Url(Uint8Array.of(251, 255))).toBe('-_8');
});

test('decodes base64 with white space, and nothing else', () => {
  expect(decodeBase64(' YW\r\nI= \n')).toEqual(Uint8Array.of(0x61, 0x62));
  expect([decodeBase64('YW!='), decodeBase64('Y')]).toEqual([undefined, undefined]);
});
