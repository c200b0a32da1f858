import { decodePercentEscapes, type RequestHeaders } from '../meta/index.ts';
import { type Authenticator, authenticationFailure } from './authenticator.ts';
import type { CertificateVerifier } from './client-certificate.ts';

/** Settings of an authenticating front proxy (`--requestheader-*`): its headers for the user, and which proxies are trusted. */
export interface FrontProxySettings {
  /** Allowed common names of its certificate; empty allows any. */
  readonly allowedNames: readonly string[];
  /** Header names. For user name and UID the first header with a value counts, for groups all do. */
  readonly username: readonly string[];
  readonly uid: readonly string[];
  readonly groups: readonly string[];
  /** Name prefixes of headers with extra fields. */
  readonly extraPrefixes: readonly string[];
}

export interface FrontProxy extends FrontProxySettings {
  readonly verifier: CertificateVerifier;
}

/** Authenticates the user in the headers of a proxy with a valid client certificate. */
export function frontProxyAuthenticator(proxy: FrontProxy): Authenticator {
  return {
    name: 'front proxy',
    async authenticate({ certificates, headers, audiences }) {
      if (certificates.length === 0) return undefined;
      const verified = await proxy.verifier.verify(certificates);
      if (typeof verified === 'string') return authenticationFailure(verified);
      const { commonName } = verified;
      if (proxy.allowedNames.length > 0 && !proxy.allowedNames.includes(commonName))
        return authenticationFailure(`x509: subject with cn=${commonName} is not in the allowed list`);
      const username = firstValue(headers, proxy.username);
      if (username === '') return undefined;
      const groups = proxy.groups.flatMap((name) => valuesOf(headers, name)).filter((group) => group !== '');
      const user = { username, uid: firstValue(headers, proxy.uid), groups, extra: extraOf(headers, proxy.extraPrefixes) };
      return { user, audiences };
    },
  };
}

function valuesOf(headers: RequestHeaders, name: string): readonly string[] {
  const lower = name.toLowerCase();
  const joined = headers.get(lower);
  return headers.getAll?.(lower) ?? (joined === null ? [] : [joined]);
}

function firstValue(headers: RequestHeaders, names: readonly string[]): string {
  return names.map((name) => valuesOf(headers, name)[0] ?? '').find((value) => value !== '') ?? '';
}

function extraOf(headers: RequestHeaders, prefixes: readonly string[]): Readonly<Record<string, readonly string[]>> {
  // A Map, because clients choose the keys: a plain object has inherited members like `constructor`.
  const extra = new Map<string, readonly string[]>();
  for (const prefix of prefixes.map((one) => one.toLowerCase())) {
    for (const [name] of headers) {
      if (!name.startsWith(prefix)) continue;
      const key = decodePercentEscapes(name.slice(prefix.length));
      extra.set(key, [...(extra.get(key) ?? []), ...valuesOf(headers, name)]);
    }
  }
  return Object.fromEntries(extra);
}
