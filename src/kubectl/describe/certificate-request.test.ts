import { expect, test } from 'vitest';
import { readCertificateRequest } from './certificate-request.ts';

const base64 = (type: string, body: string): string => btoa(`-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`);

test.each([
  ['no PEM', btoa('nonsense'), 'Error parsing CSR: PEM block type must be CERTIFICATE REQUEST'],
  ['another block', base64('CERTIFICATE', 'MAA='), 'Error parsing CSR: PEM block type must be CERTIFICATE REQUEST'],
  ['an empty sequence', base64('CERTIFICATE REQUEST', 'MAA='), 'Error parsing CSR: asn1: syntax error: sequence truncated'],
  ['a truncated request', base64('CERTIFICATE REQUEST', 'MAM='), 'Error parsing CSR: asn1: syntax error: data truncated'],
])('reports %s with the reason', (_, request, message) => {
  expect(() => readCertificateRequest(request)).toThrow(message);
});
