import { expect, test } from 'vitest';
import { Lifecycle } from './lifecycle.ts';

const request = (target: string, agent: string) => ({
  method: 'GET',
  target,
  headers: new Headers({ 'user-agent': agent }),
  body: undefined,
  signal: new AbortController().signal,
});

test('serves loopback clients, probes and metrics to the end, and rejects other clients', () => {
  const lifecycle = new Lifecycle('kube-apiserver/');
  expect(lifecycle.refusalOf(request('/api/v1/pods', 'kubectl/v1.34.4'))).toBeUndefined();
  lifecycle.stopTakingRequests({ sendRetryAfter: true });
  expect(lifecycle.refusalOf(request('/api/v1/pods', 'kubectl/v1.34.4'))?.status).toBe(429);
  expect(lifecycle.refusalOf(request('/api/v1/pods', 'kube-apiserver/v1.34.4 (linux/amd64) kubernetes/abc'))).toBeUndefined();
  expect(lifecycle.refusalOf(request('/livez', 'kube-probe/1.34'))).toBeUndefined();
  lifecycle.stopTakingRequests({ sendRetryAfter: false });
  expect(lifecycle.refusalOf(request('/api/v1/pods', 'kubectl/v1.34.4'))?.status).toBe(503);
});
