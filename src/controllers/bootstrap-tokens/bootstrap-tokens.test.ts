import { base64url, compactVerify } from 'jose';
import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { findSigningTokens, signConfigMap } from './bootstrap-signer.ts';
import { remainingLifetimeMs } from './token-cleaner.ts';

const secret = (id: string, data: Readonly<Record<string, string>>, name = `bootstrap-token-${id}`): corev1.Secret => ({
  kind: 'Secret',
  apiVersion: 'v1',
  metadata: { name },
  data: Object.fromEntries(
    Object.entries({ 'token-id': id, 'token-secret': '0123456789abcdef', ...data }).map(([key, value]) => [key, btoa(value)]),
  ),
});
const signing = { 'usage-bootstrap-signing': 'true' };

test('signs with signing tokens until they expire', () => {
  const secrets = [
    secret('abcdef', signing),
    secret('nosign', {}),
    secret('expird', { ...signing, expiration: '1970-01-01T00:00:00Z' }),
    secret('fedcba', signing, 'bootstrap-token-abcdef'),
  ];
  expect(findSigningTokens(secrets, 1)).toEqual([{ id: 'abcdef', secret: '0123456789abcdef' }]);
});

const product = productByName('kubernetes');
const kubeconfig =
  'apiVersion: v1\nclusters:\n- cluster:\n    server: https://example.test:6443\n  name: ""\ncontexts: null\ncurrent-context: ""\nkind: Config\nusers: null\n';
const configMap = (data: Readonly<Record<string, string>>): corev1.ConfigMap => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: {},
  data,
});

test('creates the signature of the real server, and removes those of other tokens', async () => {
  const token = { id: 'abcdef', secret: '0123456789abcdef' };
  const signed = await signConfigMap(configMap({ kubeconfig, 'jws-kubeconfig-other0': 'x' }), [token], product);
  expect(signed?.data).toEqual({
    kubeconfig,
    'jws-kubeconfig-abcdef': 'eyJhbGciOiJIUzI1NiIsImtpZCI6ImFiY2RlZiJ9..f3rnrapBKs8J24lS8UeK-fmaZz59KcME-O7pOo55KLw',
  });
  expect(await signConfigMap(signed ?? configMap({}), [token], product)).toBeUndefined();
});

test('signs with the full token according to the specification', async () => {
  const token = { id: 'abcdef', secret: '0123456789abcdef' };
  const signed = await signConfigMap(configMap({ kubeconfig }), [token], productByName('svc'));
  const [header, , signature] = (signed?.data?.['jws-kubeconfig-abcdef'] ?? '').split('.');
  const whole = `${header}.${base64url.encode(kubeconfig)}.${signature}`;
  const verified = await compactVerify(whole, new TextEncoder().encode('abcdef.0123456789abcdef'), { algorithms: ['HS256'] });
  expect(new TextDecoder().decode(verified.payload)).toBe(kubeconfig);
});

test('signs nothing without a kubeconfig', async () => {
  expect(await signConfigMap(configMap({}), [{ id: 'abcdef', secret: 's' }], product)).toBeUndefined();
});

test('returns the remaining lifetime of a token', () => {
  const remaining = (data: Readonly<Record<string, string>>): number | undefined => remainingLifetimeMs(secret('aaaaaa', data), 2_000);
  expect(remaining({ expiration: '1970-01-01T00:00:01Z' })).toBe(-1_000);
  expect(remaining({ expiration: 'soon' })).toBe(Number.NEGATIVE_INFINITY);
  expect(remaining({ expiration: '1970-01-01T00:00:09Z' })).toBe(7_000);
  expect(remaining({})).toBeUndefined();
});
