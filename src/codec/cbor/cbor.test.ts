import { expect, test } from 'vitest';
import { bytesToHex } from '../../meta/index.ts';
import type { Schema } from '../../schema/index.ts';
import { readCbor, writeCbor, writeCborEvent } from './index.ts';

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

test.each<readonly [string, unknown]>([
  ['d9d9f7a1616101', { a: 1 }],
  ['a1416142c3a4', { a: 'ä' }],
  ['5f41614162ff', 'ab'],
  ['7f61616162ff', 'ab'],
  ['9f0102ff', [1, 2]],
  ['bf616101ff', { a: 1 }],
  ['a1f601', { '': 1 }],
  ['a1695f5f70726f746f5f5f01', JSON.parse('{"__proto__":1}')],
  ['d641ff', '/w=='],
  ['d541ff', '_w'],
  ['d74101', '01'],
  ['d864a0', {}],
  ['c11a5e0be100', '2020-01-01T00:00:00Z'],
  ['c1f93c00', '1970-01-01T00:00:01Z'],
  ['f93e00', 1.5],
  ['fa3fc00000', 1.5],
  ['fb3ff8000000000000', 1.5],
  ['f90001', 2 ** -24],
  ['20', -1],
  ['1b7fffffffffffffff', 9223372036854775807n],
  ['3b7fffffffffffffff', -9223372036854775808n],
  ['83f4f5f6', [false, true, null]],
  [`${'81'.repeat(64)}00`, JSON.parse(`${'['.repeat(64)}0${']'.repeat(64)}`)],
])('reads %s', (hex, value) => {
  expect(readCbor(bytesOf(hex))).toMatchObject({ value, problem: undefined });
});

test.each([
  ['', 'EOF'],
  ['ff', 'cbor: unexpected "break" code'],
  ['d9d9f7', 'unexpected EOF'],
  ['a16161', 'unexpected EOF'],
  ['a0a0', 'cbor: 1 bytes of extraneous data starting at index 1'],
  ['1c', 'cbor: invalid additional information 28 for type positive integer'],
  ['3f', 'cbor: invalid additional information 31 for type negative integer'],
  ['fe', 'cbor: invalid additional information 30 for type primitives'],
  ['f801', 'cbor: invalid simple value 1 for type primitives'],
  ['5f01ff', 'cbor: wrong element type positive integer for indefinite-length byte string'],
  ['5f5f4161ffff', 'cbor: indefinite-length byte string chunk is not definite-length'],
  ['bf6161016162ff', 'cbor: unexpected "break" code'],
  ['81f97e00', 'cbor: data item of cbor type primitives is not accepted by protocol: floating-point NaN'],
  ['81f97c00', 'cbor: data item of cbor type primitives is not accepted by protocol: floating-point infinity'],
  ['81c24101', 'cbor: data item of cbor type tag is not accepted by protocol: bignum'],
  ['9b7fffffffffffffff', 'cbor: exceeded max number of elements 1024 for CBOR array'],
  ['b90401', 'cbor: exceeded max number of key-value pairs 1024 for CBOR map'],
  [`${'81'.repeat(65)}00`, 'cbor: exceeded max nested level 64'],
  ['a2616101616102', 'cbor: found duplicate map key "a" at map element index 1'],
  ['a10101', 'cbor: cannot unmarshal positive integer into Go value of type string'],
])('rejects %s before the kind is known', (hex, message) => {
  expect(() => readCbor(bytesOf(hex))).toThrow(message);
});

test.each([
  ['a16161a2616101616102', 'cbor: found duplicate map key "a" at map element index 1'],
  ['a16161a10101', 'cbor: cannot unmarshal positive integer into Go value of type string'],
  ['a1616161ff', 'cbor: invalid UTF-8 string'],
  ['a16161f7', 'cbor: data item of cbor type primitives is not accepted by protocol: simple value 23 is not recognized'],
  [
    'a161611bffffffffffffffff',
    "cbor: cannot unmarshal positive integer into Go value of type int64 (18446744073709551615 overflows Go's int64)",
  ],
  ['a16161c001', 'cbor: tag number 0 must be followed by text string, got positive integer'],
  ['a16161c1616a', 'cbor: tag number 1 must be followed by integer or floating-point number, got UTF-8 text string'],
])('reads %s and reports the error inside', (hex, problem) => {
  expect(readCbor(bytesOf(hex)).problem).toBe(problem);
});

const text: Schema = { form: 'scalar', type: 'string' };
const mapOf = (values: Schema): Schema => ({ form: 'map', values, topology: 'granular' });

test('encodes strings as byte strings, and bytes with a tag', () => {
  expect(bytesToHex(writeCbor({ k: '/w==' }, mapOf({ form: 'scalar', type: 'bytes' })))).toBe('d9d9f7a1416bd641ff');
  expect(bytesToHex(writeCbor({ k: 'ä' }, mapOf(text)))).toBe('d9d9f7a1416b42c3a4');
});

test('the object of an event has its own tag', () => {
  expect(bytesToHex(writeCborEvent('ADDED', writeCbor({}, undefined)))).toBe('d9d9f7a244747970654541444445444' + '66f626a656374d9d9f7a0');
});

test.each<readonly [unknown, string]>([
  [0, '00'],
  [23, '17'],
  [24, '1818'],
  [-256, '38ff'],
  [65_536, '1a00010000'],
  [9223372036854775807n, '1b7fffffffffffffff'],
  [1.5, 'f93e00'],
  [2 ** -24, 'f90001'],
  [100_000.5, 'fa47c35040'],
  [1.1, 'fb3ff199999999999a'],
  [[true, null], '82f5f6'],
])('encodes %s with the fewest lossless bytes', (value, hex) => {
  expect(bytesToHex(writeCbor(value, undefined))).toBe(`d9d9f7${hex}`);
});

test('decodes its own encoding', () => {
  const value = { kind: 'X', list: [1, -5, 2.25, 'a'.repeat(300)], none: null, deep: { '': [] } };
  expect(readCbor(writeCbor(value, undefined)).value).toEqual(value);
});
