import { expect, test } from 'vitest';
import { type ApiObject, type JsonObject, productByName, StatusError } from '../../meta/index.ts';
import type { AdmissionRequest } from '../admission.ts';
import { requestFor } from '../request.test-support.ts';
import { type ClusterTolerations, podTolerationRestriction } from './pod-toleration-restriction.ts';

const annotation = (name: string): string => `scheduler.alpha.kubernetes.io/${name}`;

interface Place {
  readonly defaults?: string;
  readonly whitelist?: string;
  readonly cluster?: ClusterTolerations;
}

function createPlugin({ defaults, whitelist, cluster = { defaults: [], whitelist: [] } }: Place) {
  const annotations = {
    ...(defaults === undefined ? {} : { [annotation('defaultTolerations')]: defaults }),
    ...(whitelist === undefined ? {} : { [annotation('tolerationsWhitelist')]: whitelist }),
  };
  const namespace: ApiObject = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'ns', annotations } };
  const namespaces = { find: async (_: string, name: string) => (name === 'ns' ? namespace : undefined), list: async () => [] };
  return podTolerationRestriction(namespaces, cluster, productByName('kubernetes'));
}

/** The tolerations of a pod after admission, or the message of its rejection. */
async function admit(place: Place, tolerations: readonly JsonObject[], more: JsonObject = {}, request: Partial<AdmissionRequest> = {}) {
  const pod = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' }, spec: { containers: [{ name: 'c' }], tolerations }, ...more };
  try {
    const made = await createPlugin(place).mutate?.(requestFor(request), pod as ApiObject, undefined);
    return made && (made['spec'] as JsonObject)['tolerations'];
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
}

const exists = (key: string, more: JsonObject = {}): JsonObject => ({ key, operator: 'Exists', ...more });
const equal = (key: string, value: string): JsonObject => ({ key, operator: 'Equal', value });
const memoryPressure = exists('node.kubernetes.io/memory-pressure', { effect: 'NoSchedule' });

test('new pods get the default tolerations of the namespace, or else those of the cluster', async () => {
  const cluster = { defaults: [exists('c')], whitelist: [] };
  expect(await admit({ cluster }, [exists('own')])).toEqual([exists('own'), exists('c')]);
  expect(await admit({ cluster, defaults: '[{"Key":"n","operator":"Exists"}]' }, [])).toEqual([exists('n')]);
  expect(await admit({ cluster, defaults: '' }, [])).toEqual([]);
  expect(await admit({ cluster, defaults: 'null' }, [])).toEqual([]);
  expect(await admit({ cluster }, [], {}, { operation: 'UPDATE' })).toEqual([]);
});

test('pods that request resources tolerate memory pressure', async () => {
  const spec = { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }], tolerations: [] };
  expect(await admit({}, [], { spec })).toEqual([memoryPressure]);
  expect(await admit({}, [], { spec }, { operation: 'UPDATE' })).toEqual([memoryPressure]);
  expect(await admit({}, [], { status: { qosClass: 'Burstable' } })).toEqual([memoryPressure]);
});

test('a toleration that another one includes is dropped', async () => {
  const defaults = JSON.stringify([exists('a'), equal('b', 'x'), exists('c', { effect: 'NoExecute', tolerationSeconds: 9 })]);
  const own = [equal('a', '1'), equal('b', 'x'), equal('b', 'y'), exists('c', { effect: 'NoExecute' })];
  expect(await admit({ defaults }, own)).toEqual([equal('b', 'x'), equal('b', 'y'), exists('c', { effect: 'NoExecute' }), exists('a')]);
  const timed = [exists('c', { effect: 'NoExecute', tolerationSeconds: 5 })];
  expect(await admit({ defaults }, timed)).toEqual(JSON.parse(defaults));
  expect(await admit({ defaults: '[{"operator":"Exists"}]' }, own)).toEqual([{ operator: 'Exists' }]);
  // The seconds of a toleration count for the effect NoExecute only.
  expect(await admit({ defaults: '[{"key":"c","operator":"Exists","tolerationSeconds":1}]' }, timed)).toEqual([
    exists('c', { tolerationSeconds: 1 }),
  ]);
  // An empty operator is Equal in the wider toleration only.
  expect(await admit({ defaults: '[{"key":"a"}]' }, [{ key: 'a', value: 'x' }])).toEqual([{ key: 'a', value: 'x' }, { key: 'a' }]);
});

test('tolerations outside of the whitelist are rejected', async () => {
  const conflict = (scope: string): string =>
    `500 pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`;
  const cluster = { defaults: [], whitelist: [exists('a')] };
  expect(await admit({ cluster }, [equal('a', 'x')])).toEqual([equal('a', 'x')]);
  expect(await admit({ cluster }, [exists('b')])).toBe(conflict('cluster'));
  expect(await admit({ cluster, whitelist: '[{"key":"b","operator":"Exists"}]' }, [exists('b')])).toEqual([exists('b')]);
  expect(await admit({ cluster, whitelist: '[{"key":"b"}]' }, [exists('b')])).toBe(conflict('namespace'));
  expect(await admit({ cluster, whitelist: '[]' }, [exists('b')])).toEqual([exists('b')]);
  expect(await admit({ cluster, defaults: '[{"key":"b"}]' }, [])).toBe(conflict('cluster'));
  const pod = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' }, spec: { tolerations: [exists('b')] } } as ApiObject;
  await expect(createPlugin({ cluster }).validate?.(requestFor({}), pod, undefined)).rejects.toThrow(conflict('cluster').slice(4));
});

test.each([
  ['{}', 'json: cannot unmarshal object into Go value of type []v1.Toleration'],
  ['[1]', 'json: cannot unmarshal number into Go value of type v1.Toleration'],
  ['[{"key":1}]', 'json: cannot unmarshal number into Go struct field Toleration.key of type string'],
  ['[null,{"operator":7}]', 'json: cannot unmarshal number into Go struct field Toleration.operator of type v1.TolerationOperator'],
  ['[{"effect":true}]', 'json: cannot unmarshal bool into Go struct field Toleration.effect of type v1.TaintEffect'],
  ['[{"tolerationSeconds":1.5}]', 'json: cannot unmarshal number 1.5 into Go struct field Toleration.tolerationSeconds of type int64'],
  ['[{"tolerationSeconds":"a"}]', 'json: cannot unmarshal string into Go struct field Toleration.tolerationSeconds of type int64'],
  [
    '[{"tolerationSeconds":12345678901234567890}]',
    'json: cannot unmarshal number 12345678901234567890 into Go struct field Toleration.tolerationSeconds of type int64',
  ],
  ['[', 'unexpected end of JSON input'],
])('the annotation %s is an error of the request', async (defaults, message) => {
  expect(await admit({ defaults }, [])).toBe(`500 ${message}`);
});

test('a pod in a missing namespace is rejected', async () => {
  expect(await admit({}, [], {}, { namespace: 'missing' })).toBe('404 namespaces "missing" not found');
});
