import { expect, test } from 'vitest';
import {
  type Base64Form,
  base64ToBytes,
  base64UrlToBytes,
  bytesToBase64,
  bytesToBase64Url,
  checkBase64,
  normalizeBase64,
} from './base64.ts';

function refusal(read: () => string): string {
  try {
    return read();
  } catch (error) {
    return String((error as Error).message).replace('illegal base64 data at input byte ', '@');
  }
}

test('base64 is refused at the byte where Go refuses it', () => {
  const texts = ['***', 'not base64!', 'AAEC_w==', 'abc', 'ab=c', 'ab=', 'a===', 'YQ==\n', 'YR==', 'YQ==YQ==', 'é', ''];
  const said = ['@0', '@3', '@4', '@0', '@2', '@3', '@1', 'YQ==', 'YQ==', '@4', '@0', ''];
  expect(texts.map((text) => refusal(() => normalizeBase64(text)))).toEqual(said);
});

test('each form has its letters, and a raw one nothing to fill up with', () => {
  const said = (form: Base64Form): readonly string[] =>
    ['-_8=', '+/8=', '-_8', 'a', 'abcde', 'YQ==', 'Y\nQ', ''].map((text) => refusal(() => String(checkBase64(text, form) ?? 'good')));
  expect(said('url')).toEqual(['good', '@0', '@0', '@0', '@4', 'good', '@1', 'good']);
  expect(said('raw-url')).toEqual(['@3', '@0', 'good', '@0', '@4', '@2', 'good', 'good']);
});

test('bytes come back as they were, however many', () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256);
  expect(base64ToBytes(bytesToBase64(bytes))).toEqual(bytes);
  expect(base64UrlToBytes(bytesToBase64Url(bytes))).toEqual(bytes);
  expect(bytesToBase64Url(Uint8Array.of(251, 255))).toBe('-_8');
});
