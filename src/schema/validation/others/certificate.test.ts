import { expect, test } from 'vitest';
import { validateSignerName } from './certificate.ts';

const real = (text: string): string => text;
const neutral = (text: string): string => text.replace('kubernetes.io/', 'svc/');
const oneSegment = 'should be a domain with at least two segments separated by dots';

test.each([
  ['kubernetes.io/kubelet-serving', real, []],
  ['example.com/signer', neutral, []],
  ['svc/kubelet-serving', neutral, []],
  ['svc/kubelet-serving', real, [oneSegment]],
  ['other/signer', neutral, [oneSegment]],
])('signer name %s', (name, rename, expected) => {
  const errors = validateSignerName(name, 'spec.signerName', rename);
  expect(errors).toEqual(expected.map((text) => expect.objectContaining({ message: expect.stringContaining(text) })));
});
