import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { selectorProblem } from '../../cel/index.ts';
import { createSeededRandom } from '../../env/index.ts';
import { type ApiObject, createFeatureGates, type JsonObject, productByName, withMetadata } from '../../meta/index.ts';
import { createCatalog, createDefaulter, createTypedDecoder, createValidation } from '../../schema/index.ts';
import type { StrategyContext } from '../strategy.ts';
import { strategyFor } from './index.ts';

/** New objects as kube-apiserver returned them, after decoding, defaults and the strategy. */
const product = productByName('kubernetes');
const catalog = createCatalog(product);
const decode = createTypedDecoder();
const withDefaults = createDefaulter(product, createFeatureGates());
const validation = createValidation(product, catalog.type, {
  checkDeviceSelector: selectorProblem,
  gates: createFeatureGates(),
  allowPrivileged: true,
});

interface Pair {
  readonly file: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly output?: ApiObject;
}

const base = new URL('../../../test/facts/catalog/defaulting/', import.meta.url);
const pairs = readdirSync(base).flatMap((file) =>
  (JSON.parse(readFileSync(new URL(file, base), 'utf8')) as Pair[]).map((pair) => ({ ...pair, file: file.slice(0, -5) })),
);

/** Reviews are not stored, the allocator sets values of Services, and admission changes the others. */
const elsewhere = /Review|TokenRequest|core\.v1\.(?:Service|Pod|Node|PersistentVolume|PersistentVolumeClaim)$|VolumeAttributesClass/;
const stored = pairs.flatMap((pair) => {
  const resource = catalog.resourceOfKind(String(pair.input['apiVersion']), String(pair.input['kind']));
  const { output } = pair;
  return resource && output && output.kind === pair.input['kind'] && !elsewhere.test(pair.file) ? [{ ...pair, resource, output }] : [];
});

test('most recorded pairs are of stored objects', () => {
  expect(stored.length).toBeGreaterThan(60);
});

test.each(stored.map((pair) => [`${pair.file} ${pair.name}`, pair] as const))(
  '%s is created like in kube-apiserver',
  (_, { input, output, resource }) => {
    const { name, namespace, uid, creationTimestamp, resourceVersion, managedFields } = output.metadata;
    const context: StrategyContext = {
      now: String(creationTimestamp),
      random: createSeededRandom(1),
      product,
      gates: createFeatureGates(),
      dryRun: false,
      requester: { username: 'admin', uid: 'u-admin', groups: ['system:masters', 'system:authenticated'], extra: {} },
      subresource: '',
    };
    const given = withDefaults(resource.schema, decode(resource.schema, input, { retainEmpties: 'all' }), context) as ApiObject;
    const system = { name, namespace, uid, creationTimestamp, resourceVersion, managedFields };
    const known = withMetadata(given, Object.fromEntries(Object.entries(system).filter(([, value]) => value !== undefined)));
    const strategy = strategyFor(resource, { decode, validation });
    const made = strategy.stored.write(strategy.prepareForCreate(known, context));
    const comparable = (object: ApiObject): string =>
      JSON.stringify(object)
        .replace(/kube-api-access-\w{5}/g, 'kube-api-access-*')
        .replace(/"timeAdded":"[^"]*"/g, '"timeAdded":"*"');
    expect(comparable(made)).toBe(comparable(output));
  },
);
