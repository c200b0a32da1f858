import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog } from '../../env/index.ts';
import { type ApiObject, type JsonObject, productByName } from '../../meta/index.ts';
import type { AdmissionRequest } from '../admission.ts';
import { requestFor } from '../request.test-support.ts';
import { WebhookFailure } from '../webhooks/review.ts';
import { imagePolicyWebhook } from './image-policy-webhook.ts';

const pod = (image: string, more: JsonObject = {}): ApiObject =>
  ({ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image }] }, ...more }) as ApiObject;

/** Reviews pods with the given responses of the webhook; undefined: it fails. */
function createReviewer(answer: (spec: JsonObject) => JsonObject | undefined, defaultAllow = false) {
  const clock = createManualClock(0);
  const sent: JsonObject[] = [];
  const log = createMemoryLog();
  const plugin = imagePolicyWebhook(
    {
      allowTtlMs: 1000,
      denyTtlMs: 0,
      defaultAllow,
      post: async (review) => {
        sent.push(review);
        const status = answer(review['spec'] as JsonObject);
        if (!status) throw new WebhookFailure('no answer');
        return { status };
      },
    },
    { clock, product: productByName('kubernetes'), log },
  );
  const review = async (object: ApiObject, request: Partial<AdmissionRequest> = {}) => {
    const annotations: Record<string, string> = {};
    const annotate: AdmissionRequest['annotate'] = (more) => Object.assign(annotations, more());
    try {
      await plugin.validate?.(requestFor({ ...request, annotate }), object, undefined);
      return { outcome: 'allowed', annotations };
    } catch (error) {
      return { outcome: (error as Error).message, annotations };
    }
  };
  return { clock, plugin, review, sent };
}

test('the webhook gets images, the annotations for it and the namespace', async () => {
  const { review, sent } = createReviewer(() => ({ allowed: true }));
  const annotations = { 'x.image-policy.k8s.io/b': '1', 'image-policy.k8s.io/c': '2', other: '3' };
  const spec = { containers: [{ image: 'a' }, { image: 'b' }], initContainers: [{ image: 'c' }], ephemeralContainers: [{ image: 'd' }] };
  const object = pod('', { metadata: { name: 'p', annotations }, spec });
  expect((await review(object)).outcome).toBe('allowed');
  await review(object, { operation: 'UPDATE', subresource: 'ephemeralcontainers' });
  const shared = { annotations: { 'x.image-policy.k8s.io/b': '1' }, namespace: 'ns' };
  const typed = { kind: 'ImageReview', apiVersion: 'imagepolicy.k8s.io/v1alpha1', metadata: {}, status: { allowed: false } };
  expect(sent).toEqual([
    { ...typed, spec: { containers: [{ image: 'a' }, { image: 'b' }, { image: 'c' }], ...shared } },
    { ...typed, spec: { containers: [{ image: 'd' }], ...shared } },
  ]);
});

test('a denied pod is rejected with the reason and the audit annotations of the webhook', async () => {
  const { review } = createReviewer(({ containers }) =>
    (containers as JsonObject[])[0]?.['image'] === 'a' ? { reason: 'bad', auditAnnotations: { why: 'x', 'a b': 'dropped' } } : {},
  );
  expect(await review(pod('a'))).toEqual({
    outcome: 'pods "p" is forbidden: image policy webhook backend denied one or more images: bad',
    annotations: { 'imagepolicywebhook.image-policy.k8s.io/why': 'x' },
  });
  expect((await review(pod('b'))).outcome).toBe('pods "p" is forbidden: one or more images rejected by webhook backend');
});

test('reviews are cached for the time of their verdict, with their annotations', async () => {
  const { clock, review, sent } = createReviewer(({ containers }) => ({
    allowed: (containers as JsonObject[])[0]?.['image'] === 'good',
    auditAnnotations: { a: 'b' },
  }));
  const annotations = { 'imagepolicywebhook.image-policy.k8s.io/a': 'b' };
  await review(pod('good'));
  expect(await review(pod('good'))).toEqual({ outcome: 'allowed', annotations });
  expect(sent).toHaveLength(1);
  await clock.advance(1000);
  await review(pod('good'));
  expect(sent).toHaveLength(2);
  await review(pod('bad'));
  await review(pod('bad'));
  expect(sent).toHaveLength(4);
});

test('when the webhook fails, the setting decides', async () => {
  const closed = createReviewer(() => undefined);
  expect(await closed.review(pod('a'))).toEqual({ outcome: 'pods "p" is forbidden: no answer', annotations: {} });
  const open = createReviewer(() => undefined, true);
  expect(await open.review(pod('a'))).toEqual({
    outcome: 'allowed',
    annotations: { 'imagepolicywebhook.image-policy.k8s.io/failed-open': 'true' },
  });
  await open.review(pod('a'));
  expect(open.sent).toHaveLength(2);
});

test('pods and their ephemeral containers are reviewed', () => {
  const { handles } = createReviewer(() => undefined).plugin;
  const update = { operation: 'UPDATE', group: '', resource: 'pods' } as const;
  const handled = ['', 'ephemeralcontainers', 'status', 'resize'].map((subresource) => handles({ ...update, subresource }));
  expect(handled).toEqual([true, true, false, false]);
});
