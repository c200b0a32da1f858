import { tlsVersions } from '../certificates/tls-options.ts';
import type { FlagValues } from './flag-values.ts';

/** Go's cipher suite names without the prefix TLS_, insecure ones last. */
const ciphers: ReadonlySet<string> = new Set(
  `AES_128_GCM_SHA256 AES_256_GCM_SHA384 CHACHA20_POLY1305_SHA256
  ECDHE_ECDSA_WITH_AES_128_CBC_SHA ECDHE_ECDSA_WITH_AES_256_CBC_SHA ECDHE_RSA_WITH_AES_128_CBC_SHA ECDHE_RSA_WITH_AES_256_CBC_SHA
  ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 ECDHE_ECDSA_WITH_AES_256_GCM_SHA384 ECDHE_RSA_WITH_AES_128_GCM_SHA256
  ECDHE_RSA_WITH_AES_256_GCM_SHA384 ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256 ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256
  ECDHE_RSA_WITH_CHACHA20_POLY1305 ECDHE_ECDSA_WITH_CHACHA20_POLY1305
  RSA_WITH_RC4_128_SHA RSA_WITH_3DES_EDE_CBC_SHA RSA_WITH_AES_128_CBC_SHA RSA_WITH_AES_256_CBC_SHA RSA_WITH_AES_128_CBC_SHA256
  RSA_WITH_AES_128_GCM_SHA256 RSA_WITH_AES_256_GCM_SHA384 ECDHE_ECDSA_WITH_RC4_128_SHA ECDHE_RSA_WITH_RC4_128_SHA
  ECDHE_RSA_WITH_3DES_EDE_CBC_SHA ECDHE_ECDSA_WITH_AES_128_CBC_SHA256 ECDHE_RSA_WITH_AES_128_CBC_SHA256`
    .trim()
    .split(/\s+/)
    .map((name) => `TLS_${name}`),
);

/** Validates flags that the real server checks only after all others, when it applies them. */
export function servingProblems(flags: FlagValues): readonly string[] {
  const [version, pairs] = [flags.text('tls-min-version'), [flags.text('tls-cert-file'), flags.text('tls-private-key-file')]];
  if (pairs.filter((file) => file === '').length === 1) return ['missing filename for serving cert'];
  const unknown = flags.list('tls-cipher-suites').find((name) => !ciphers.has(name));
  if (unknown !== undefined) return [`Cipher suite ${unknown} not supported or doesn't exist`];
  if (!Object.hasOwn(tlsVersions, version)) return [`unknown tls version ${JSON.stringify(version)}`];
  const size = flags.list('watch-cache-sizes').find((one) => one.split('#').length !== 2);
  if (size !== undefined) return [`invalid value of watch cache size: ${size}`];
  return fairnessProblems(flags);
}

/** Cf. upstream FeatureOptions.ApplyTo */
function fairnessProblems(flags: FlagValues): readonly string[] {
  const [reads, writes] = [flags.number('max-requests-inflight'), flags.number('max-mutating-requests-inflight')];
  if (!flags.truth('enable-priority-and-fairness') || reads + writes > 0) return [];
  const given = `MaxRequestsInFlight=${reads} and MaxMutatingRequestsInFlight=${writes}`;
  return [`invalid configuration: ${given}; they must add up to something positive`];
}
