import { expect, test } from 'vitest';
import { validateCertificateStatus } from './certificate-update.ts';

const pem = (body: string, type = 'CERTIFICATE'): string => `-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`;
const valid = pem(
  'MIIBMDCB46ADAgECAhRxHrnV6BqJKngiGmltKlccnhtHNzAFBgMrZXAwDTELMAkGA1UEAwwCY2EwIBcNMjYxMTIyMDUxNjM4WhgP' +
    'MjEyNjEwMjkwNTE2MzhaMA0xCzAJBgNVBAMMAmNhMCowBQYDK2VwAyEAa6cnA/2dRu0MfdlzT7xvGT87Fn3yb+YjXRWYOMnWTQ+j' +
    'UzBRMB0GA1UdDgQWBBS2hdQApNLX5s9a8N3Z/2bv6kPxSTAfBgNVHSMEGDAWgBS2hdQApNLX5s9a8N3Z/2bv6kPxSTAPBgNVHRMB' +
    'Af8EBTADAQH/MAUGAytlcANBAPwTMJYkBEyGr0TKzEsqGR3BI0XGWHZjdMBrUTHMZwKJyWcTQ7xOG8hqIC8xLm2JOd5w+0poYOw6' +
    '+sZnLYRReA8=',
);

test.each([
  [`words\n${valid}${valid}`, undefined],
  ['words', 'must contain at least one CERTIFICATE PEM block'],
  [valid + pem('YQ==', 'PUBLIC KEY'), 'only CERTIFICATE PEM blocks are allowed, found "PUBLIC KEY"'],
  [pem('k: v\n\nYQ=='), 'no PEM block headers are permitted'],
  [pem(''), 'found CERTIFICATE PEM block containing 0 certificates'],
  [pem('YQ=='), 'x509: malformed certificate'],
])('validates the certificate of a status: %#', (text, problem) => {
  const errors = validateCertificateStatus({ status: { certificate: btoa(text) } }, {});
  expect(errors.map(({ field, message }) => `${field}: ${message}`)).toEqual(
    problem === undefined ? [] : [`status.certificate: Invalid value: "<certificate data>": ${problem}`],
  );
  expect(validateCertificateStatus({ status: { certificate: btoa(text) } }, { status: { certificate: btoa(text) } })).toEqual([]);
});
