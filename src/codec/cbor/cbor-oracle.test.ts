import { Decoder, Encoder } from 'cbor-x';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../meta/index.ts';
import { readCbor, writeCbor } from './index.ts';

const settings = { mapsAsObjects: false, useRecords: false } as const;
const decoder = new Decoder(settings);
const encoder = new Encoder({ ...settings, mapsAsObjects: true });

/** A value of cbor-x as JSON: byte strings are text here, and maps may have keys of any type. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return Object.fromEntries(Array.from(value, ([key, member]) => [plain(key), plain(member)]));
  return value;
}

const texts = fc.string({ unit: 'grapheme', maxLength: 6 });
const values = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(null, true, false),
    texts,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Number.isInteger(number)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(texts, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;
const objects = fc.dictionary(texts, values, { maxKeys: 4, noNullPrototype: true }) as fc.Arbitrary<JsonObject>;

test('cbor-x decodes what is written here to the same value', () => {
  fc.assert(
    fc.property(objects, (object) => {
      expect(plain(decoder.decode(writeCbor(object, undefined)))).toEqual(object);
    }),
    { numRuns: 500 },
  );
});

test('reads what cbor-x encodes as the same value', () => {
  fc.assert(
    fc.property(objects, (object) => {
      expect(readCbor(encoder.encode(object))).toMatchObject({ value: object, problem: undefined });
    }),
    { numRuns: 500 },
  );
});

/** Any type but tags, which the two apply differently: the API ignores unknown ones. */
const heads = fc.integer({ min: 0, max: 255 }).filter((head) => head >> 5 !== 6);

test('reads bytes that cbor-x accepts too as the same value', () => {
  let compared = 0;
  fc.assert(
    fc.property(fc.array(heads, { maxLength: 12 }), (bytes) => {
      const read = readValue(() => readCbor(Uint8Array.from(bytes)));
      const other = readValue(() => decoder.decode(Uint8Array.from(bytes)) as unknown);
      if (!read || !other || read.value.problem !== undefined) return;
      compared++;
      expect(read.value.value).toEqual(plain(other.value));
    }),
    { numRuns: 10_000 },
  );
  expect(compared).toBeGreaterThan(100);
});

/** The value, or undefined for invalid bytes. */
function readValue<T>(read: () => T): { readonly value: T } | undefined {
  try {
    return { value: read() };
  } catch {
    return undefined;
  }
}
