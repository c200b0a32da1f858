import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { type ApiObject, type JsonObject, productByName, StatusError } from '../../meta/index.ts';
import type { AdmissionRequest, WebhookLabels } from '../admission.ts';
import { ObjectCache } from '../object-cache.ts';
import { requestFor } from '../request.test-support.ts';
import { WebhookFailure } from './review.ts';
import { validatingWebhooks } from './validating-webhooks.ts';

const configMaps = { resource: 'configmaps', kind: { group: '', version: 'v1', kind: 'ConfigMap' } };

interface Call {
  readonly url: string;
  readonly request: JsonObject;
}

/** Webhooks that return `answers` in turn: members of a response (`untyped`: in a review without apiVersion and kind), or an error. */
function registered(webhooks: readonly JsonObject[], answers: readonly (JsonObject | string)[]) {
  const calls: Call[] = [];
  const measured: WebhookLabels[] = [];
  const configurations = new ObjectCache();
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }];
  const complete = webhooks.map((webhook, index) => ({
    name: `w${index}`,
    clientConfig: { url: `https://hook/${index}` },
    rules,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    failurePolicy: 'Fail',
    ...webhook,
  }));
  configurations.update('c', { metadata: { name: 'c' }, webhooks: complete } as never);
  const plugin = validatingWebhooks({
    validating: configurations,
    mutating: new ObjectCache(),
    random: { integer: () => 0, uuid: () => 'u-1' },
    product: productByName('kubernetes'),
    decodeReview: (review) => review,
    policyContext: {
      namespace: async () => undefined,
      clock: createManualClock(),
      meter: { observeWebhook: (labels) => measured.push(labels), observePolicyCheck: () => undefined },
      equivalents: () => [],
      inVersion: async (object) => object,
      decode: (object) => object as ApiObject,
      decodeStrictly: (object) => object as ApiObject,
      applyConfiguration: async (object) => object,
      fromVersion: async (object) => object,
      params: () => undefined,
      checkAccess: async () => ({ allowed: false, reason: '' }),
    },
    async post({ url }, { request }) {
      const answer = answers[calls.length] ?? {};
      calls.push({ url, request: request as JsonObject });
      if (typeof answer === 'string') throw new WebhookFailure(answer);
      const { untyped, ...members } = answer;
      const type = untyped ? {} : { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' };
      return { ...type, response: { uid: 'u-1', allowed: true, ...members } };
    },
  });
  return { calls, measured, configurations, plugin };
}

const map = (name: string, metadata: JsonObject = {}): ApiObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, ...metadata },
});

async function outcome(
  webhooks: readonly JsonObject[],
  answers: readonly (JsonObject | string)[],
  request: Partial<AdmissionRequest> = {},
) {
  const { calls, measured, plugin } = registered(webhooks, answers);
  const warnings: string[] = [];
  const annotations: Record<string, string> = {};
  const write = requestFor({
    ...configMaps,
    name: 'a',
    warn: (text) => warnings.push(text),
    annotate: (make) => Object.assign(annotations, make()),
    ...request,
  });
  let rejection: StatusError | undefined;
  try {
    await plugin.validate?.(write, map('a', { labels: { hook: 'yes' } }), undefined);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    rejection = error;
  }
  return { calls, measured, warnings, annotations, rejection: rejection && [rejection.code, rejection.message] };
}

test('a webhook gets the user and the write; its warnings and annotations are passed on', async () => {
  const { calls, warnings, annotations, rejection } = await outcome([{}], [{ warnings: ['mind'], auditAnnotations: { k: 'v' } }]);
  expect(rejection).toBeUndefined();
  expect(calls).toMatchObject([
    {
      url: 'https://hook/0',
      request: { uid: 'u-1', operation: 'CREATE', name: 'a', object: { metadata: { name: 'a' } }, oldObject: null },
    },
  ]);
  expect([warnings, annotations]).toEqual([['mind'], { 'w0/k': 'v' }]);
});

test('returns the rejection of a webhook, never with a success code', async () => {
  const rejectionsOf = async (status: JsonObject) => (await outcome([{}], [{ allowed: false, status }])).rejection;
  expect(await rejectionsOf({})).toEqual([400, 'admission webhook "w0" denied the request without explanation']);
  expect(await rejectionsOf({ code: 200, reason: 'Odd' })).toEqual([400, 'admission webhook "w0" denied the request: Odd']);
  expect(await rejectionsOf({ code: 418, message: 'no' })).toEqual([418, 'admission webhook "w0" denied the request: no']);
});

test('returns 500 for an invalid response, unless the failurePolicy is Ignore', async () => {
  const message = 'Internal error occurred: failed calling webhook "w0": ';
  expect((await outcome([{}], ['away'])).rejection).toEqual([500, `${message}away`]);
  expect((await outcome([{}], [{ uid: 'x' }])).rejection).toEqual([
    500,
    `${message}received invalid webhook response: expected response.uid="u-1", got "x"`,
  ]);
  expect((await outcome([{}], [{ patch: 'W10=', patchType: 'JSONPatch' }])).rejection?.[1]).toContain('may not return response.patch');
  const ignored = await outcome([{ failurePolicy: 'Ignore' }], ['away']);
  expect([ignored.rejection, ignored.annotations]).toEqual([
    undefined,
    { 'failed-open.validating.webhook.admission.k8s.io/round_0_index_0': 'w0' },
  ]);
});

test('each call is measured, with whether it rejects the write', async () => {
  const ignored = { failurePolicy: 'Ignore' };
  const { measured } = await outcome([{}, {}, {}, ignored], [{}, { allowed: false }, 'away', 'away']);
  const labels = { operation: 'CREATE', type: 'validating' };
  expect(measured).toEqual([
    { ...labels, name: 'w0', rejected: 'false' },
    { ...labels, name: 'w1', rejected: 'true' },
    { ...labels, name: 'w2', rejected: 'true' },
    { ...labels, name: 'w3', rejected: 'false' },
  ]);
});

test('requires apiVersion and kind in the response', async () => {
  const { rejection } = await outcome([{}], [{ untyped: true }]);
  expect(rejection?.[1]).toContain('expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=');
});

test('calls only webhooks whose rules, selectors and conditions match; returns the first rejection', async () => {
  const conditions = (expression: string) => ({ matchConditions: [{ name: 'c', expression }] });
  const webhooks = [
    { objectSelector: { matchLabels: { hook: 'no' } } },
    conditions('object.metadata.name != "a"'),
    { rules: [] },
    conditions('object.metadata.name == "a"'),
    {},
  ];
  const { calls, rejection } = await outcome(webhooks, [{ allowed: false }, { allowed: false }]);
  expect(calls.map(({ url }) => url)).toEqual(['https://hook/3', 'https://hook/4']);
  expect(rejection?.[1]).toBe('admission webhook "w3" denied the request without explanation');
  expect((await outcome([conditions('object.nope == 1')], [])).rejection).toEqual([
    403,
    'configmaps "a" is forbidden: expression \'object.nope == 1\' resulted in error: no such key: nope',
  ]);
});

test('does not send a dry run to a webhook with side effects', async () => {
  const { rejection, calls } = await outcome([{ sideEffects: 'Some' }], [], { dryRun: true });
  expect([rejection, calls]).toEqual([[400, 'admission webhook "w0" does not support dry run'], []]);
  expect((await outcome([{ sideEffects: 'NoneOnDryRun' }], [], { dryRun: true })).calls).toHaveLength(1);
});

test('ignores a deleted configuration', async () => {
  const { configurations, plugin, calls } = registered([{}], []);
  configurations.update('c', undefined);
  await plugin.validate?.(requestFor(configMaps), map('a'), undefined);
  expect(calls).toEqual([]);
});
