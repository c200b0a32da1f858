import { expect, test } from 'vitest';
import { scriptedState } from '../scripted-state.test-support.ts';
import { isAllowed, policyDecisions } from './network-policies.ts';

const pod = (name: string, ip: string, namespace = 'default'): object => ({
  metadata: { name, namespace, labels: { app: name } },
  spec: { nodeName: 'node-1', containers: [{ name: 'main', ports: [{ name: 'http', containerPort: 8080 }] }] },
  status: { podIPs: [{ ip }] },
});
const pods = [pod('web', '10.244.0.2'), pod('front', '10.244.0.3'), pod('other', '10.244.0.4'), pod('guest', '10.244.1.2', 'guests')];
const app = (name: string): object => ({ matchLabels: { app: name } });

/** The clients that reach the port 8080 of `web` (or another port), with some policies. */
function reaching(policies: readonly object[], port = 8080): string[] {
  const state = scriptedState({
    pods,
    policies: policies.map((spec, at) => ({ metadata: { name: `p${at}` }, spec })),
    namespaces: { guests: { team: 'guests' }, default: {} },
    nodes: { 'node-1': '172.18.0.2' },
  });
  const clients = {
    front: '10.244.0.3',
    other: '10.244.0.4',
    guest: '10.244.1.2',
    node: '172.18.0.2',
    outside: '192.0.2.7',
    self: '10.244.0.2',
  };
  return Object.entries(clients)
    .filter(([, from]) => isAllowed(state, { from, to: '10.244.0.2', port, protocol: 'TCP' }))
    .map(([name]) => name);
}

const web = { podSelector: app('web') };
const always = ['node', 'self'];
const sorted = (names: readonly string[]): string[] => [...names].sort();

test('a pod without policies is reached by all, with an empty one by itself and its node', () => {
  expect(reaching([]).length).toBe(6);
  expect(sorted(reaching([web]))).toEqual(always);
  expect(reaching([{ podSelector: app('front') }]).length).toBe(6);
});

test('rules select pods, namespaces and blocks of addresses', () => {
  expect(sorted(reaching([{ ...web, ingress: [{ from: [{ podSelector: app('front') }] }] }]))).toEqual(sorted(['front', ...always]));
  expect(sorted(reaching([{ ...web, ingress: [{ from: [{ namespaceSelector: { matchLabels: { team: 'guests' } } }] }] }]))).toEqual(
    sorted(['guest', ...always]),
  );
  expect(sorted(reaching([{ ...web, ingress: [{ from: [{ namespaceSelector: {}, podSelector: app('guest') }] }] }]))).toEqual(
    sorted(['guest', ...always]),
  );
  const ipBlock = { cidr: '10.244.0.0/16', except: ['10.244.0.4/32'] };
  expect(sorted(reaching([{ ...web, ingress: [{ from: [{ ipBlock }] }] }]))).toEqual(sorted(['front', 'guest', ...always]));
  expect(reaching([{ ...web, ingress: [{}] }]).length).toBe(6);
});

test('ports are numbers, ranges or names of the server', () => {
  const allowing = (port: object): object => ({ ...web, ingress: [{ ports: [port] }] });
  expect(reaching([allowing({ port: 8080 })]).length).toBe(6);
  expect(reaching([allowing({ port: 80 })]).length).toBe(2);
  expect(reaching([allowing({ port: 8000, endPort: 9000 })]).length).toBe(6);
  expect(reaching([allowing({ port: 'http' })]).length).toBe(6);
  expect(reaching([allowing({ port: 'http' })], 8081).length).toBe(2);
  expect(reaching([allowing({ port: 8080, protocol: 'UDP' })]).length).toBe(2);
});

test('egress policies isolate the client', () => {
  const egress = (spec: object): object => ({ podSelector: app('front'), policyTypes: ['Egress'], ...spec });
  expect(reaching([egress({})])).not.toContain('front');
  expect(reaching([egress({ egress: [{ to: [{ podSelector: app('web') }] }] })])).toContain('front');
  expect(reaching([egress({ egress: [{ to: [{ podSelector: app('other') }] }] })])).not.toContain('front');
});

test('one policy that allows is enough', () => {
  expect(reaching([web, { ...web, ingress: [{ from: [{ podSelector: app('front') }] }] }])).toContain('front');
});

test('the decisions name the policies that allow a connection, or those that isolate a pod', () => {
  const named = (name: string, spec: object): object => ({ metadata: { name }, spec });
  const state = scriptedState({
    pods,
    policies: [
      named('closed', web),
      named('front-only', { ...web, ingress: [{ from: [{ podSelector: app('front') }] }] }),
      named('quiet', { podSelector: app('other'), policyTypes: ['Egress'] }),
    ],
  });
  const decisions = (from: string): readonly unknown[] =>
    policyDecisions(state, { from, to: '10.244.0.2', port: 8080, protocol: 'TCP' }).map(({ direction, isAllowed, policies }) => [
      direction,
      isAllowed,
      policies.map(({ metadata }) => metadata.name),
    ]);
  expect(decisions('10.244.0.3')).toEqual([
    ['Egress', true, []],
    ['Ingress', true, ['front-only']],
  ]);
  expect(decisions('10.244.0.4')).toEqual([
    ['Egress', false, ['quiet']],
    ['Ingress', false, ['closed', 'front-only']],
  ]);
  expect(decisions('10.244.0.2')).toEqual([]);
});
