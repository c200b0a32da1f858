import { expect, test } from 'vitest';
import { createFeatureGates, type JsonObject } from '../../../../meta/index.ts';
import { validatePodStatusUpdate } from './pod-status.ts';

const gates = createFeatureGates();

const messagesOf = (next: JsonObject, old: JsonObject): readonly string[] =>
  validatePodStatusUpdate(next, old, gates).map(({ field, message }) => `${field}: ${message}`);

const pod = (status: JsonObject): JsonObject => ({ metadata: { name: 'p' }, spec: { nodeName: 'n' }, status });

test('reports invalid status updates with the real messages', () => {
  const next = pod({ observedGeneration: -1, nominatedNodeName: 'm', qosClass: 'Guaranteed', resourceClaimStatuses: [{ name: 'a' }] });
  expect(messagesOf(next, pod({ qosClass: 'BestEffort' }))).toEqual([
    'status.observedGeneration: Invalid value: -1: must be a non-negative integer',
    'status.qosClass: Invalid value: "Guaranteed": field is immutable',
    'status.resourceClaimStatuses[0].name: Invalid value: "a": must match the name of an entry in `spec.resourceClaims`',
  ]);
});

const ended = (name: string, exitCode: number): JsonObject => ({ name, state: { terminated: { exitCode } } });
const running = (name: string): JsonObject => ({ name, state: { running: {} } });

test.each([
  ['Always', []],
  ['OnFailure', ['status.containerStatuses[0].state']],
  ['Never', ['status.containerStatuses[0].state', 'status.containerStatuses[1].state']],
])('a terminated container may run again depending on restartPolicy %s', (restartPolicy, fields) => {
  const withPolicy = (containerStatuses: readonly JsonObject[]): JsonObject => ({
    ...pod({ containerStatuses }),
    spec: { nodeName: 'n', restartPolicy },
  });
  const errors = validatePodStatusUpdate(withPolicy([running('a'), running('b')]), withPolicy([ended('a', 0), ended('b', 1)]), gates);
  expect(errors.map(({ field }) => field)).toEqual(fields);
});

test('addresses are one of each family, and stored invalid ones stay valid', () => {
  const at = (...ips: readonly string[]): JsonObject => pod({ podIPs: ips.map((ip) => ({ ip })) });
  expect(messagesOf(at('1.2.3.4', 'fd00::1'), pod({}))).toEqual([]);
  expect(messagesOf(at('x'), at('x'))).toEqual([]);
  expect(messagesOf(at('1.2.3.4', 'x'), pod({}))).toEqual([
    'status.podIPs[1]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    'status.podIPs: Internal error: failed to check for dual stack with error:invalid IP[1]: x',
    'status.podIPs: Invalid value: [{"IP":"1.2.3.4"},{"IP":"x"}]: may specify no more than one IP for each IP family',
  ]);
});

test('the resources in a container status must be those of the container', () => {
  const named = (name: string): JsonObject => ({
    ...pod({ containerStatuses: [{ name: 'a', allocatedResourcesStatus: [{ name }] }] }),
    spec: { nodeName: 'n', containers: [{ name: 'a', resources: { requests: { cpu: '1' }, claims: [{ name: 'gpu', request: 'r' }] } }] },
  });
  expect(['cpu', 'claim:gpu/r', 'memory', 'claim:gpu'].map((name) => validatePodStatusUpdate(named(name), pod({}), gates).length)).toEqual([
    0, 0, 1, 1,
  ]);
});
