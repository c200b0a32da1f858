import fc from 'fast-check';
import { expect, test } from 'vitest';
import { productByName } from '../meta/index.ts';
import { createCatalog, formatGroupVersion } from '../schema/index.ts';
import { CborError, readCbor, writeCbor } from './cbor/index.ts';
import { generatedObjects } from './generated-objects.test-support.ts';
import { parseYaml } from './yaml.ts';
import { printYaml } from './yaml-print.ts';

const catalog = createCatalog(productByName('kubernetes'));
const kinds = catalog.groups.flatMap(({ name, versions }) =>
  versions.flatMap((version) => {
    const apiVersion = formatGroupVersion({ group: name, version });
    return catalog.resourcesOf(apiVersion).map(({ kind }) => ({ apiVersion, kind }));
  }),
);

test('objects of every kind survive a round trip through YAML and CBOR', { timeout: 120_000 }, () => {
  expect(kinds.length).toBeGreaterThan(60);
  for (const { apiVersion, kind } of kinds) {
    const shape = catalog.kind(apiVersion, kind);
    if (!shape) throw new Error(`no shape of ${kind}`);
    fc.assert(
      fc.property(generatedObjects(shape), (body) => {
        const object = { kind, apiVersion, ...body };
        expect(parseYaml(printYaml(object)).value).toEqual(object);
        expect(readCbor(writeCbor(object, shape)).value).toEqual(object);
      }),
      { numRuns: 10 },
    );
  }
});

test('rejects invalid CBOR with a CborError only', () => {
  const valid = writeCbor({ kind: 'X', list: [1, -5, 2.25, 'a'.repeat(30)], none: null, deep: { '': [] } }, undefined);
  const damaged = fc
    .tuple(fc.nat(valid.length - 1), fc.nat(255), fc.nat(valid.length))
    .map(([at, byte, end]) => valid.map((old, index) => (index === at ? byte : old)).subarray(0, end));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 60 }), damaged), (bytes) => {
      try {
        readCbor(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(CborError);
      }
    }),
    { numRuns: 5_000 },
  );
});
