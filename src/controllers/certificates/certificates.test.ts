import { expect, test } from 'vitest';
import type { certificatesv1 } from '../../schema/api/index.ts';
import type { CertificateRequest } from '../controller.ts';
import { isObsolete } from './certificate-conditions.ts';
import { validity } from './certificate-signing.ts';
import { signerProblem } from './signers.ts';

const node: CertificateRequest = {
  organizations: ['system:nodes'],
  commonName: 'system:node:a',
  dnsNames: [],
  ipAddresses: [],
  emailAddresses: [],
  uris: [],
};
const clientUsages = ['client auth', 'digital signature'];
const unnamed = 'subject common name does not begin with system:node:';

test.each([
  ['kube-apiserver-client', node, clientUsages, undefined],
  ['kube-apiserver-client', node, ['server auth'], 'invalid usage for client certificate: server auth'],
  ['kube-apiserver-client', node, [], 'missing required usage for client certificate: client auth'],
  ['kube-apiserver-client-kubelet', node, clientUsages, undefined],
  ['kube-apiserver-client-kubelet', { ...node, organizations: ['dev'] }, clientUsages, 'subject organization is not system:nodes'],
  ['kube-apiserver-client-kubelet', { ...node, dnsNames: ['a'] }, clientUsages, 'DNS subjectAltNames are not allowed'],
  ['kube-apiserver-client-kubelet', node, ['client auth'], 'usages did not match [client auth digital signature key encipherment]'],
  ['kubelet-serving', node, ['server auth', 'digital signature'], 'DNS or IP subjectAltName is required'],
  ['kubelet-serving', { ...node, ipAddresses: ['10.0.0.1'] }, ['server auth', 'digital signature', 'key encipherment'], undefined],
  ['kube-apiserver-client-kubelet', { ...node, commonName: 'a' }, clientUsages, unnamed],
  ['kubelet-serving', { ...node, commonName: 'a', dnsNames: ['a'] }, ['server auth', 'digital signature'], unnamed],
  ['legacy-unknown', node, ['any'], undefined],
])('signer %s', (signer, request, usages, problem) => {
  expect(signerProblem(`kubernetes.io/${signer}`, request, usages)).toBe(problem);
});

const minuteMs = 60_000;
test.each([
  [undefined, 365 * 24 * 60 - 5],
  [7200, 120],
  [60, 10],
  [10 * 3600, 595],
])('a certificate for %s seconds ends after %d minutes', (seconds, minutes) => {
  expect(validity(seconds, 0)).toEqual({ notBeforeMs: -5 * minuteMs, notAfterMs: minutes * minuteMs });
});

const hoursAgo = (hours: number): string => new Date(Date.UTC(2026, 0, 10) - hours * 60 * minuteMs).toISOString();
const condition = (type: string, hours: number) => ({ type, status: 'True', lastUpdateTime: hoursAgo(hours) });
test.each([
  ['a new one', 1, {}, false],
  ['one that waits for a day', 25, {}, true],
  ['one without conditions that is issued', 25, { certificate: 'x' }, true],
  ['one that is denied', 2, { conditions: [condition('Denied', 1.1)] }, true],
  ['one that is approved but not issued', 30, { conditions: [condition('Approved', 29)] }, false],
  ['one that is issued', 30, { conditions: [condition('Approved', 2)], certificate: 'x' }, true],
])('obsolete: %s', (_, hours, status, expected) => {
  const request = { metadata: { creationTimestamp: hoursAgo(hours) }, status } as certificatesv1.CertificateSigningRequest;
  expect(isObsolete(request, Date.UTC(2026, 0, 10))).toBe(expected);
});
