import type { SecureVersion, TlsOptions } from 'node:tls';
import type { ServerCertificate } from './certificate.ts';

export interface TlsSettings {
  /** `--tls-min-version`; empty: TLS 1.2. */
  readonly minVersion: string;
  /** `--tls-cipher-suites`, by their names in Go; empty: the defaults. TLS 1.3 suites are always offered, as in Go. */
  readonly cipherSuites: readonly string[];
}

export const tlsDefaults: TlsSettings = { minVersion: '', cipherSuites: [] };

export const tlsVersions: Readonly<Record<string, SecureVersion>> = {
  '': 'TLSv1.2',
  VersionTLS10: 'TLSv1',
  VersionTLS11: 'TLSv1.1',
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
};

const tls13: readonly string[] = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];

/** Go's defaults without CBC suites, in Go's order. */
const defaultSuites: readonly string[] = [
  'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
  'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
];

/** Accepts any client certificate: authentication verifies it, and answers 401. */
export function tlsOptions({ certificate, key }: ServerCertificate, settings: TlsSettings, clientAuthorities: string): TlsOptions {
  const clients = clientAuthorities === '' ? {} : { requestCert: true, rejectUnauthorized: false, ca: clientAuthorities };
  const chosen = settings.cipherSuites.filter((name) => !tls13.includes(name));
  const suites = chosen.length > 0 ? chosen : defaultSuites;
  const minVersion = tlsVersions[settings.minVersion] ?? 'TLSv1.2';
  // OpenSSL allows TLS 1.0 and 1.1 only at security level 0.
  const level = minVersion === 'TLSv1' || minVersion === 'TLSv1.1' ? ['@SECLEVEL=0'] : [];
  const ciphers = [...tls13, ...suites.map(openSslName), ...level].join(':');
  return { cert: certificate, key, minVersion, ciphers, honorCipherOrder: true, ...clients };
}

/** `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` → `ECDHE-RSA-AES128-GCM-SHA256`; plain RSA key exchange is omitted. */
function openSslName(name: string): string {
  const [, exchange = '', cipher = ''] = /^TLS_(.+)_WITH_(.+)$/.exec(name) ?? [];
  const suite = cipher
    .replace(/^AES_(\d+)_CBC/, 'AES$1')
    .replace(/^AES_(\d+)/, 'AES$1')
    .replace(/^3DES_EDE_CBC/, 'DES-CBC3')
    .replace(/^RC4_128/, 'RC4')
    .replace(/^CHACHA20_POLY1305.*/, 'CHACHA20-POLY1305');
  return [...(exchange === 'RSA' ? [] : [exchange]), suite].join('-').replaceAll('_', '-');
}
