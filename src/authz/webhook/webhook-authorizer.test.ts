import { expect, test } from 'vitest';
import {
  createManualClock,
  createMemoryLog,
  createSeededRandom,
  type OutboundAnswer,
  OutboundError,
  type OutboundRequest,
} from '../../env/index.ts';
import { parseFieldSelector, parseLabelSelector, productByName } from '../../meta/index.ts';
import { type Attributes, resourceAttributes } from '../attributes.ts';
import type { WebhookSettings } from '../config/settings.ts';
import { webhookAuthorizer } from './webhook-authorizer.ts';

const product = productByName('kubernetes');
const bob = { username: 'bob', uid: 'u', groups: ['devs'], extra: { scopes: ['a'] } };
const settings: WebhookSettings = {
  authorizedTtlMs: 60_000,
  unauthorizedTtlMs: 1_000,
  timeoutMs: 3_000,
  version: 'v1',
  failurePolicy: 'Deny',
  matchConditions: [],
  kubeConfigFile: '/hook',
};
const reviewResponse = (status: object): OutboundAnswer => ({ status: 200, headers: {}, body: JSON.stringify({ status }) });

function hook(changes: Partial<WebhookSettings>, answer: (request: OutboundRequest) => OutboundAnswer) {
  const requests: OutboundRequest[] = [];
  const clock = createManualClock(0);
  const authorizer = webhookAuthorizer(
    'hook',
    { ...settings, ...changes },
    {
      outbound: {
        send(request) {
          requests.push(request);
          return new Promise((resolve) => resolve(answer(request)));
        },
      },
      connection: {
        url: 'https://hook/authorize',
        headers: { authorization: 'Bearer t' },
        tls: { authorities: undefined, identity: undefined, serverName: undefined, unverified: false },
        credentials: undefined,
      },
      product,
      clock,
      random: createSeededRandom(1),
      log: createMemoryLog(),
    },
  );
  const decide = (more: Partial<Attributes> = {}) =>
    authorizer.authorize({
      ...resourceAttributes(bob, { verb: 'list', group: '', version: 'v1', resource: 'pods', namespace: 'ns' }),
      ...more,
    });
  return { requests, clock, decide };
}

test('posts the attributes and returns the decision', async () => {
  const { requests, decide } = hook({}, () => reviewResponse({ allowed: true, reason: 'why not' }));
  const selectors = () => ({ field: parseFieldSelector('metadata.name!=q'), label: parseLabelSelector('a in (x),!z,n>1') });
  expect(await decide({ selectors })).toEqual({ verdict: 'allow', reason: 'why not', evidence: 'webhook hook: why not' });
  expect(requests[0]?.url).toBe('https://hook/authorize?timeout=3s');
  expect(requests[0]?.headers['authorization']).toBe('Bearer t');
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
    kind: 'SubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec: {
      resourceAttributes: {
        namespace: 'ns',
        verb: 'list',
        version: 'v1',
        resource: 'pods',
        fieldSelector: { requirements: [{ key: 'metadata.name', operator: 'NotIn', values: ['q'] }] },
        labelSelector: {
          requirements: [
            { key: 'a', operator: 'In', values: ['x'] },
            { key: 'z', operator: 'DoesNotExist' },
          ],
        },
      },
      user: 'bob',
      groups: ['devs'],
      extra: { scopes: ['a'] },
      uid: 'u',
    },
    status: { allowed: false },
  });
});

test('v1beta1 names the groups group', async () => {
  const { requests, decide } = hook({ version: 'v1beta1' }, () => reviewResponse({}));
  await decide();
  expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({ apiVersion: 'authorization.k8s.io/v1beta1', spec: { group: ['devs'] } });
});

test.each([
  [
    { allowed: false, reason: 'r' },
    { verdict: 'no-opinion', reason: 'r' },
  ],
  [
    { denied: true, reason: 'r' },
    { verdict: 'deny', reason: 'r' },
  ],
  [
    { allowed: true, denied: true },
    { verdict: 'deny', error: 'webhook subject access review returned both allow and deny response' },
  ],
])('%j is %j', async (status, decision) => {
  expect(await hook({}, () => reviewResponse(status)).decide()).toMatchObject(decision);
});

test('caches responses, allowed ones longer', async () => {
  const { requests, clock, decide } = hook({}, ({ body }) => reviewResponse({ allowed: body?.includes('"pods"') === true }));
  await decide();
  await decide({ resource: 'nodes' });
  await decide();
  await decide({ resource: 'nodes' });
  expect(requests).toHaveLength(2);
  await clock.advance(2_000);
  await decide();
  await decide({ resource: 'nodes' });
  expect(requests).toHaveLength(3);
  await decide({ verb: 'get' });
  expect(requests).toHaveLength(4);
});

test('retries transient failures four times, then applies the failure policy', async () => {
  const { requests, clock, decide } = hook({}, () => ({ status: 500, headers: {}, body: 'broken' }));
  const decision = decide();
  for (let pause = 0; pause < 4; pause++) {
    await new Promise(setImmediate);
    await clock.advance(3_000);
  }
  expect(await decision).toMatchObject({
    verdict: 'deny',
    reason: '',
    error: 'an error on the server ("broken") has prevented the request from succeeding',
  });
  expect(requests).toHaveLength(5);
});

test.each<[string, OutboundAnswer | OutboundError, string]>([
  ['text that is not JSON', { status: 200, headers: {}, body: 'not json' }, 'json: cannot unmarshal string into Go value of type struct'],
  [
    'another kind',
    { status: 200, headers: {}, body: '{"apiVersion":"authorization.k8s.io/v1","kind":"X"}' },
    'converting (v1.X) to (v1.SubjectAccessReview): unknown conversion',
  ],
  ['a 404', { status: 404, headers: {}, body: '' }, 'the server could not find the requested resource'],
  ['a text', { status: 403, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: ' no \n' }, 'no'],
  ['a 403 of another type', { status: 403, headers: { 'content-type': 'application/json' }, body: 'no' }, 'unknown'],
  ['a Status', { status: 418, headers: {}, body: '{"kind":"Status","message":"teapot"}' }, 'teapot'],
  [
    'nobody',
    new OutboundError('unreachable', 'dial tcp 1.2.3.4:443: connect: connection refused'),
    'Post "https://hook/authorize?timeout=3s": dial tcp',
  ],
])('%s is a failure', async (_, answer, error) => {
  const { requests, decide } = hook({ failurePolicy: 'NoOpinion' }, () => {
    if (answer instanceof OutboundError) throw answer;
    return answer;
  });
  expect(await decide()).toMatchObject({ verdict: 'no-opinion', error: expect.stringContaining(error) });
  expect(requests).toHaveLength(1);
});

test('calls the webhook only when all conditions are true; a false one decides', async () => {
  const conditions = ["request.user == 'bob'", "request.resourceAttributes.verb != 'delete'"];
  const { requests, decide } = hook({ matchConditions: conditions }, () => reviewResponse({ allowed: true }));
  expect(await decide()).toMatchObject({ verdict: 'allow' });
  expect(await decide({ verb: 'delete' })).toMatchObject({ verdict: 'no-opinion', reason: '' });
  const path = { isResourceRequest: false, path: '/x' };
  expect(await decide(path)).toMatchObject({
    verdict: 'deny',
    error: expect.stringMatching(/resulted in error: no such key: resourceAttributes$/),
  });
  expect(await decide({ ...path, user: { ...bob, username: 'eve' } })).toMatchObject({ verdict: 'no-opinion' });
  expect(requests).toHaveLength(1);
});
