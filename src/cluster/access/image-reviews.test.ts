import { expect, test } from 'vitest';
import { WebhookFailure } from '../../admission/index.ts';
import { createManualClock, createSeededRandom, type OutboundAnswer, OutboundError, type OutboundRequest } from '../../env/index.ts';
import { productByName } from '../../meta/index.ts';
import { createImageReviewer } from './image-reviews.ts';

const review = { kind: 'ImageReview', apiVersion: 'imagepolicy.k8s.io/v1alpha1' };

/** Posts a review to a webhook with these responses, the last of which repeats. */
function post(...answers: readonly (Partial<OutboundAnswer> | OutboundError)[]) {
  const requests: OutboundRequest[] = [];
  const waits: number[] = [];
  const clock = Object.assign(createManualClock(0), {
    sleep: async (ms: number) => {
      waits.push(ms);
    },
  });
  const send = createImageReviewer({
    outbound: {
      async send(request) {
        const answer = answers[Math.min(requests.length, answers.length - 1)];
        requests.push(request);
        if (answer instanceof OutboundError) throw answer;
        return { status: 200, headers: { 'content-type': 'application/json' }, body: '', ...answer };
      },
    },
    connection: {
      url: 'https://images/review',
      headers: {},
      tls: { authorities: undefined, identity: undefined, serverName: undefined, unverified: false },
      credentials: undefined,
    },
    retryBackoffMs: 100,
    env: { clock, random: createSeededRandom(1) },
    product: productByName('kubernetes'),
  });
  return { requests, waits, result: send(review) };
}

const answered = (body: unknown): Partial<OutboundAnswer> => ({ body: typeof body === 'string' ? body : JSON.stringify(body) });

test('the response is a review, whose kind may be absent', async () => {
  const { requests, result } = post(answered({ ...review, status: { allowed: true, more: 1 } }));
  expect(await result).toEqual({ ...review, status: { allowed: true } });
  expect(requests).toMatchObject([{ url: 'https://images/review?timeout=30s', method: 'POST', body: `${JSON.stringify(review)}\n` }]);
  expect(await post(answered({ status: { reason: 'x' } })).result).toEqual({ status: { reason: 'x' } });
});

test.each([
  ['', '0-length response with status code: 200 and content type: application/json'],
  [
    { ...review, kind: 'Pod' },
    'no kind "Pod" is registered for version "imagepolicy.k8s.io/v1alpha1" in scheme "pkg/runtime/scheme.go:110"',
  ],
  [{ kind: 'Status', apiVersion: 'v1' }, 'converting (v1.Status) to (v1alpha1.ImageReview): unknown conversion'],
  [
    { ...review, status: { allowed: 'yes' } },
    'json: cannot unmarshal string into Go struct field ImageReviewStatus.status.allowed of type bool',
  ],
  [
    { ...review, status: { auditAnnotations: { a: 1 } } },
    'json: cannot unmarshal number into Go struct field ImageReviewStatus.status.auditAnnotations of type string',
  ],
])('the response %j is a failure', async (body, message) => {
  await expect(post(answered(body)).result).rejects.toThrow(new WebhookFailure(message));
});

test('a transient failure is tried five times', async () => {
  const broken = post({ status: 500 });
  await expect(broken.result).rejects.toThrow(
    new WebhookFailure('an error on the server ("unknown") has prevented the request from succeeding'),
  );
  expect(broken.requests).toHaveLength(5);
  // Each wait has up to a fifth of jitter.
  expect(broken.waits.map((ms, index) => Math.floor(ms / (100 * 1.5 ** index) / 1.2))).toEqual([0, 0, 0, 0]);
  expect(broken.waits.every((ms, index) => ms >= 100 * 1.5 ** index)).toBe(true);
  const passing = post({ status: 429 }, answered({ status: { allowed: true } }));
  expect(await passing.result).toEqual({ status: { allowed: true } });
  const refused = post(new OutboundError('unreachable', 'connection refused'));
  await expect(refused.result).rejects.toThrow(new WebhookFailure('Post "https://images/review?timeout=30s": connection refused'));
  expect(refused.requests).toHaveLength(1);
});
