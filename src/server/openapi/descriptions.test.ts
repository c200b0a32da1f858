import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { createFeatureGates, isJsonObject, type JsonObject, productByName, recordAt } from '../../meta/index.ts';
import { createCatalog, createDescribeType, loadDescriptions } from '../../schema/index.ts';
import { createOpenApi, type OpenApi } from './index.ts';

/** OpenAPI of all API versions, those of alpha features included. */
function openApiOf(name: 'svc' | 'kubernetes'): OpenApi {
  const product = productByName(name);
  const featureGates = createFeatureGates();
  return createOpenApi({
    services: [],
    catalog: createCatalog(product, { runtimeConfig: new Map([['api/all', 'true']]), featureGates }),
    product,
    release: '1.34',
    customSchema: () => undefined,
    loadDescriptions: async () => createDescribeType(await loadDescriptions(), product),
    clock: createManualClock(),
  });
}

/** Every definition and every property with its description, by path. */
function descriptionsOf(schemas: JsonObject): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(schemas).flatMap(([name, schema]): [string, unknown][] => {
      if (!isJsonObject(schema)) return [];
      const properties = Object.entries(recordAt(schema, 'properties')).filter(([, property]) => isJsonObject(property));
      return [
        [name, schema['description']],
        ...properties.map(([property, value]): [string, unknown] => [`${name}.${property}`, isJsonObject(value) && value['description']]),
      ];
    }),
  );
}

function undescribed(descriptions: ReadonlyMap<string, unknown>): readonly string[] {
  return [...descriptions].flatMap(([path, text]) => (typeof text === 'string' && text.length > 3 ? [] : [path]));
}

for (const name of ['kubernetes', 'svc'] as const) {
  test(`every type and field of ${name} has a description in version 2 and 3`, async () => {
    const openApi = openApiOf(name);
    const v2 = descriptionsOf(recordAt(JSON.parse((await openApi.v2()).text), 'definitions'));
    expect(undescribed(v2)).toEqual([]);
    expect(v2.size).toBeGreaterThan(3000);
    const documents = Object.keys(recordAt(JSON.parse(await openApi.index()), 'paths'));
    const v3 = new Map<string, unknown>();
    for (const document of documents) {
      const schemas = recordAt(recordAt(JSON.parse((await openApi.v3(document))?.text ?? '{}'), 'components'), 'schemas');
      for (const [path, text] of descriptionsOf(schemas)) v3.set(path, text);
    }
    expect(undescribed(v3)).toEqual([]);
    expect(new Map([...v3].sort())).toEqual(new Map([...v2].sort()));
    if (name === 'svc') expect([...v3].filter(([, text]) => /kubernetes|k8s/i.test(String(text)))).toEqual([]);
  });
}
