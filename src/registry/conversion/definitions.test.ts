import { expect, test } from 'vitest';
import type { ApiObject, JsonObject } from '../../meta/index.ts';
import { definitionForStore, definitionFromStore } from './definitions.ts';

const definition = (spec: JsonObject): ApiObject => ({
  kind: 'CustomResourceDefinition',
  apiVersion: 'apiextensions.k8s.io/v1beta1',
  metadata: { name: 'as.b.example.com' },
  spec: { group: 'b.example.com', names: { plural: 'as', kind: 'A' }, scope: 'Namespaced', ...spec },
});
const schema = { openAPIV3Schema: { type: 'object' } };
const columns = [{ name: 'X', type: 'string', jsonPath: '.x' }];
const version = { name: 'v1', served: true, storage: true };

test('stores members that all versions share at the top of the spec, like kube-apiserver', () => {
  const shared = { schema, subresources: { status: {} }, additionalPrinterColumns: columns };
  const stored = definitionForStore(definition({ versions: [{ ...version, ...shared }], conversion: { strategy: 'None' } }));
  expect(JSON.stringify(stored)).toBe(
    '{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1beta1","metadata":{"name":"as.b.example.com"},"spec":{' +
      '"group":"b.example.com","version":"v1","names":{"plural":"as","kind":"A"},"scope":"Namespaced",' +
      '"validation":{"openAPIV3Schema":{"type":"object"}},"subresources":{"status":{}},"versions":[{"name":"v1","served":true,"storage":true}],' +
      '"additionalPrinterColumns":[{"name":"X","type":"string","JSONPath":".x"}],"conversion":{"strategy":"None"},"preserveUnknownFields":false}}',
  );
});

test.each([
  ['one version', { versions: [{ ...version, schema, subresources: { status: {} }, additionalPrinterColumns: columns }] }],
  [
    'versions that differ',
    {
      versions: [
        { ...version, schema, additionalPrinterColumns: columns },
        { ...version, name: 'v2', storage: false },
      ],
    },
  ],
  [
    'a webhook, and preserved unknown fields',
    {
      versions: [{ ...version, schema }],
      conversion: { strategy: 'Webhook', webhook: { clientConfig: { url: 'https://a' }, conversionReviewVersions: ['v1'] } },
      preserveUnknownFields: true,
    },
  ],
])('restores a stored definition with %s', (_, spec) => {
  expect(definitionFromStore(definitionForStore(definition(spec)))).toEqual(definition(spec));
});

test('reads a stored definition with only `version` as one with a list of one version', () => {
  expect(definitionFromStore(definition({ version: 'v1', validation: schema }))['spec']).toMatchObject({
    versions: [{ ...version, schema }],
  });
});

test('reads a definition that was stored in v1 as v1beta1', () => {
  const stored = { ...definition({ versions: [version] }), apiVersion: 'apiextensions.k8s.io/v1' };
  expect(definitionFromStore(stored)).toEqual(definition({ versions: [version] }));
});
