import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bitStringBytes, booleanOf, derElements, objectIdentifier, readDerElement, rightAlignedBytes, X509Error } from './der.ts';
import { encodeDer, encodeObjectIdentifier, encodeTime, encodeUnsigned } from './der-writer.ts';

test('reads elements with short and long lengths', () => {
  const long = Uint8Array.of(0x04, 0x82, 0x01, 0x00, ...new Uint8Array(256));
  expect(readDerElement(Uint8Array.of(0x30, 0x02, 0x05, 0x00, 0x01)).whole).toEqual(Uint8Array.of(0x30, 0x02, 0x05, 0x00));
  expect(derElements(Uint8Array.of(0x05, 0x00, ...long))?.map(({ tag, content }) => [tag, content.length])).toEqual([
    [0x05, 0],
    [0x04, 256],
  ]);
});

test.each<[string, readonly number[], string]>([
  ['no bytes', [], 'asn1: syntax error: sequence truncated'],
  ['no length', [0x30], 'asn1: syntax error: truncated tag or length'],
  ['a truncated length', [0x30, 0x82, 0x01], 'asn1: syntax error: truncated tag or length'],
  ['truncated content', [0x30, 0x03, 0x05, 0x00], 'asn1: syntax error: data truncated'],
  ['an indefinite length', [0x30, 0x80, 0x00, 0x00], 'asn1: syntax error: indefinite length found (not DER)'],
  ['a long form for a short length', [0x04, 0x81, 0x01, 0x00], 'asn1: structure error: non-minimal length'],
  ['leading zeros in the length', [0x04, 0x82, 0x00, 0x80], 'asn1: structure error: superfluous leading zeros in length'],
  ['a length of five bytes', [0x04, 0x85, 1, 0, 0, 0, 0], 'asn1: structure error: length too large'],
  ['a length that overflows 31 bits', [0x04, 0x84, 0x80, 0, 0, 0], 'asn1: structure error: length too large'],
  ['a length of 126 bytes', [0x04, 0xfe, ...new Array<number>(126).fill(0xff)], 'asn1: structure error: length too large'],
  ['a tag of several bytes', [0x1f, 0x81, 0x01, 0x00], 'asn1: structure error: base 128 integer too large'],
])('rejects %s', (_, bytes, message) => {
  expect(() => readDerElement(Uint8Array.from(bytes))).toThrow(new X509Error(message));
  expect(derElements(Uint8Array.from(bytes))).toEqual(bytes.length === 0 ? [] : undefined);
});

test('limits the number of elements', () => {
  expect(derElements(new Uint8Array(2_000))?.length).toBe(1_000);
  expect(derElements(new Uint8Array(2_002))).toBeUndefined();
});

test.each<[readonly number[], string | undefined]>([
  [[0x55, 0x04, 0x03], '2.5.4.3'],
  [[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b], '1.2.840.113549.1.1.11'],
  [[0x27], '0.39'],
  [[0x88, 0x37], '2.999'],
  [[0x2b, 0x87, 0xff, 0xff, 0xff, 0x7f], '1.3.2147483647'],
  [[0x2b, 0x88, 0x80, 0x80, 0x80, 0x00], undefined],
  [[0x2b, 0x80, 0x01], undefined],
  [[0x2b, 0x81], undefined],
  [[], undefined],
])('the object identifier %j is %s', (content, text) => {
  expect(objectIdentifier({ tag: 0x06, content: Uint8Array.from(content), whole: new Uint8Array() })).toBe(text);
});

test('rejects booleans and bit strings in other than their canonical form', () => {
  const value = (tag: number, ...content: readonly number[]) => readDerElement(Uint8Array.of(tag, content.length, ...content));
  expect([booleanOf(value(0x01, 0xff)), booleanOf(value(0x01, 0))]).toEqual([true, false]);
  for (const wrong of [value(0x01, 1), value(0x01), value(0x01, 0, 0), value(0x02, 0)]) expect(() => booleanOf(wrong)).toThrow(X509Error);
  expect(bitStringBytes(value(0x03, 2, 0xfc))).toEqual(Uint8Array.of(0xfc));
  expect(bitStringBytes(value(0x03, 0))).toEqual(new Uint8Array());
  expect(rightAlignedBytes(value(0x03, 2, 0x13, 0xfc))).toEqual(Uint8Array.of(0x04, 0xff));
  expect(rightAlignedBytes(value(0x03, 0, 0x13, 0xfc))).toEqual(Uint8Array.of(0x13, 0xfc));
  for (const wrong of [value(0x03), value(0x03, 1), value(0x03, 8, 0), value(0x03, 2, 0xfe), value(0x04, 0)])
    expect(() => bitStringBytes(wrong)).toThrow(X509Error);
});

test('splits any bytes into elements that fill them, or rejects them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const elements = derElements(bytes);
      if (elements) expect(elements.reduce((sum, { whole }) => sum + whole.length, 0)).toBe(bytes.length);
    }),
    { numRuns: 2_000 },
  );
});

test.each([0, 1, 0x7f, 0x80, 0xff, 0x100, 0xffff, 0x10000])('reads an element that the writer encodes, of %i bytes', (length) => {
  const content = new Uint8Array(length).fill(7);
  const element = readDerElement(encodeDer(0x30, content.subarray(0, 3), content.subarray(3)));
  expect([element.tag, element.content]).toEqual([0x30, content]);
});

test('reads the object identifiers that the writer encodes', () => {
  fc.assert(
    fc.property(fc.nat(2), fc.nat(39), fc.array(fc.nat(), { maxLength: 12 }), (root, second, arcs) => {
      const id = [root, second, ...arcs].join('.');
      expect(objectIdentifier(readDerElement(encodeObjectIdentifier(id)))).toBe(id);
    }),
  );
});

test.each([
  [
    [0, 0],
    [2, 1, 0],
  ],
  [
    [0, 0x7f],
    [2, 1, 0x7f],
  ],
  [[0x80], [2, 2, 0, 0x80]],
  [[], [2, 1, 0]],
])('encodes the unsigned integer %j in its shortest form', (bytes, encoded) => {
  expect([...encodeUnsigned(Uint8Array.from(bytes))]).toEqual(encoded);
});

test.each([
  ['2049-12-31T23:59:59Z', 0x17, '491231235959Z'],
  ['2050-01-01T00:00:00Z', 0x18, '20500101000000Z'],
])('encodes the time %s with tag %i', (time, tag, text) => {
  const element = readDerElement(encodeTime(Date.parse(time)));
  expect([element.tag, new TextDecoder().decode(element.content)]).toEqual([tag, text]);
});
