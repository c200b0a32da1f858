import { expect, test } from 'vitest';
import { readCertificate } from './certificate.ts';
import { pemBlocks, pemCertificates } from './pem.ts';

const pem = (body: string, type = 'CERTIFICATE'): string => `-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`;
const authority = pem(
  'MIIBMDCB46ADAgECAhRxHrnV6BqJKngiGmltKlccnhtHNzAFBgMrZXAwDTELMAkGA1UEAwwCY2EwIBcNMjYxMTIyMDUxNjM4WhgP' +
    'MjEyNjEwMjkwNTE2MzhaMA0xCzAJBgNVBAMMAmNhMCowBQYDK2VwAyEAa6cnA/2dRu0MfdlzT7xvGT87Fn3yb+YjXRWYOMnWTQ+j' +
    'UzBRMB0GA1UdDgQWBBS2hdQApNLX5s9a8N3Z/2bv6kPxSTAfBgNVHSMEGDAWgBS2hdQApNLX5s9a8N3Z/2bv6kPxSTAPBgNVHRMB' +
    'Af8EBTADAQH/MAUGAytlcANBAPwTMJYkBEyGr0TKzEsqGR3BI0XGWHZjdMBrUTHMZwKJyWcTQ7xOG8hqIC8xLm2JOd5w+0poYOw6' +
    '+sZnLYRReA8=',
);
const leaf = pem(
  'MIIBLjCB4aADAgECAhQJ3c0ceVEmYqs9PMXpJXhUB3VI9jAFBgMrZXAwDzENMAsGA1UEAwwEbGVhZjAgFw0yNjExMjIwNTE2Mzha' +
    'GA8yMTI2MTAyOTA1MTYzOFowDzENMAsGA1UEAwwEbGVhZjAqMAUGAytlcAMhAKq+5yAyXzvOKn2ksvOizhCgPAjg4kNzT0v3Pe+q' +
    'ezsho00wSzAdBgNVHQ4EFgQU6jxcavzQ1LJep/v9G7x/+C1GE5wwHwYDVR0jBBgwFoAU6jxcavzQ1LJep/v9G7x/+C1GE5wwCQYD' +
    'VR0TBAIwADAFBgMrZXADQQAImtArUCmlr3yR17Q53Fg1PVboIoW4ptqXZjnWB+fd571QBjaIZ8wKfBaKc0BfCKAB0RzXmT4twNaF' +
    'ae1cg9oE',
);

test('finds blocks and their types between other text', () => {
  const found = pemBlocks(`words\n${authority}more\n${pem('YQ==', 'PRIVATE KEY')}${pem('K: v\n\nYQ==')}`);
  expect(found.map(({ type, hasHeaders }) => [type, hasHeaders])).toEqual([
    ['CERTIFICATE', false],
    ['PRIVATE KEY', false],
    ['CERTIFICATE', true],
  ]);
});

test('returns the certificates without headers', () => {
  const others = `${pem('YQ==', 'PRIVATE KEY')}${pem('K: v\n\nYQ==')}${pem('!')}`;
  const constraints = pemCertificates(`${others}${authority.replaceAll('\n', '\r\n')}${others}${leaf}`).map(
    (bytes) => readCertificate(bytes).basicConstraints?.isAuthority,
  );
  expect(constraints).toEqual([true, false]);
  expect(pemCertificates('nonsense')).toEqual([]);
});

test('reads blocks as Go does', () => {
  const shown = (text: string): readonly unknown[] => pemBlocks(text).map(({ type, bytes }) => [type, String.fromCharCode(...bytes)]);
  expect(shown('-----BEGIN A-----\nYQ==\n-----BEGIN B-----\nYg==\n-----END B-----')).toEqual([['B', 'b']]);
  expect(shown('-----BEGIN A-----\n-----END A-----\n')).toEqual([['A', '']]);
  expect(shown('-----BEGIN A----- \t\r\n Y\tQ=\r\n=\n-----END A----- \r\n')).toEqual([['A', 'a']]);
  expect(shown('-----BEGIN A-----\nk:v\nYQ==\n-----END A-----')).toEqual([['A', 'a']]);
  expect(shown('-----BEGIN A: b-----\nYQ==\n-----END A: b-----\n')).toEqual([['A: b', 'a']]);
  expect(shown('-----BEGIN -----\nYQ==\n-----END -----\n')).toEqual([['', 'a']]);
  for (const broken of [
    'x-----BEGIN A-----\nYQ==\n-----END A-----',
    '-----BEGIN A-----\nYQ==-----END A-----',
    '-----BEGIN A-----\nYQ==\n-----END B-----',
    '-----BEGIN A-----\nYQ==\n-----END A-----x',
    '-----BEGIN A\nYQ==\n-----END A-----',
    '-----BEGIN A-----\nYQ\n-----END A-----',
    '-----BEGIN A-----\nYQ==\n-----END A----\n',
    '-----BEGIN A-----\nk: v\n-----END A-----\n',
    '-----BEGIN A-----\nYQ==\nk: v\n-----END A-----\n',
  ]) {
    expect(shown(broken), broken).toEqual([]);
  }
});
