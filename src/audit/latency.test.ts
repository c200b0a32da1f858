import { expect, test } from 'vitest';
import { latencyAnnotations } from './latency.ts';

const prefix = 'apiserver.latency.k8s.io/';

test('layers that took time are told of a request of more than half a second', () => {
  expect(latencyAnnotations({ authentication: 0.0421, authorization: 612.5 }, 1_500, prefix)).toEqual({
    'apiserver.latency.k8s.io/authentication': '42µs',
    'apiserver.latency.k8s.io/authorization': '612.5ms',
    'apiserver.latency.k8s.io/total': '1.5s',
  });
  expect(latencyAnnotations({ authentication: 1, authorization: 0 }, 501, prefix)).toEqual({
    'apiserver.latency.k8s.io/authentication': '1ms',
    'apiserver.latency.k8s.io/total': '501ms',
  });
});

test.each([
  [{ authentication: 1 }, 500],
  [{}, 10_000],
  [{ authorization: 0 }, 10_000],
])('%j in %i ms are not told', (layers, totalMs) => {
  expect(latencyAnnotations(layers, totalMs, prefix)).toEqual({});
});
