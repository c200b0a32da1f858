import { importJWK, type JWK } from 'jose';
import { compactVerify } from 'jose/jws/compact/verify';
import type { Clock, Outbound, OutboundTls } from '../../env/index.ts';
import { isJsonObject, type JsonObject, tryParseJson } from '../../meta/index.ts';

/** An invalid response of an issuer; the message is go-oidc's. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
}

export interface ProviderOptions {
  readonly outbound: Outbound;
  readonly clock: Clock;
}

export interface ProviderAddress {
  readonly issuer: string;
  /** Replaces the issuer's well-known URL; empty: not set. */
  readonly discoveryURL: string;
  readonly tls: OutboundTls;
}

/** The keys of an issuer. They are fetched again when none matches and the last response has expired. */
export interface KeySet {
  /** Resolves when one of the keys verifies the token. @throws ProviderError */
  verify(token: string, header: JsonObject): Promise<void>;
}

const timeoutMs = 30_000;
/** Keys expire this much early. */
const expiryDeltaMs = 30_000;

/** Reads the issuer's discovery document; keys are fetched with the first token. @throws ProviderError, OutboundError */
export async function discover({ issuer, discoveryURL, tls }: ProviderAddress, options: ProviderOptions): Promise<KeySet> {
  const wellKnown = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const { document } = await fetchJson(discoveryURL === '' ? wellKnown : discoveryURL, tls, options);
  if (document['issuer'] !== issuer) {
    const got = JSON.stringify(document['issuer'] ?? '');
    throw new ProviderError(`oidc: issuer did not match the issuer returned by provider, expected ${JSON.stringify(issuer)} got ${got}`);
  }
  return new RemoteKeys(String(document['jwks_uri'] ?? ''), tls, options);
}

interface FetchedJson {
  readonly document: JsonObject;
  readonly maxAgeMs: number;
}

async function fetchJson(url: string, tls: OutboundTls, { outbound }: ProviderOptions): Promise<FetchedJson> {
  const { status, headers, body } = await outbound.send({ method: 'GET', url, headers: {}, body: undefined, timeoutMs, tls });
  if (status !== 200) throw new ProviderError(`${status}: ${body}`);
  const document = tryParseJson(body);
  if (!isJsonObject(document)) throw new ProviderError(`oidc: failed to decode ${url}: ${body}`);
  const maxAge = /(?:^|[\s,])max-age=(\d+)/.exec(headers['cache-control'] ?? '')?.[1];
  return { document, maxAgeMs: Number(maxAge ?? 0) * 1000 };
}

class RemoteKeys implements KeySet {
  readonly #url: string;
  readonly #tls: OutboundTls;
  readonly #options: ProviderOptions;
  #keys: readonly JsonObject[] = [];
  #expiresMs = 0;
  #pendingFetch: Promise<void> | undefined;

  constructor(url: string, tls: OutboundTls, options: ProviderOptions) {
    this.#url = url;
    this.#tls = tls;
    this.#options = options;
  }

  async verify(token: string, header: JsonObject): Promise<void> {
    if (await this.#isSigned(token, header)) return;
    const isFresh = this.#options.clock.nowMs() + expiryDeltaMs <= this.#expiresMs;
    if (!isFresh) await this.#fetchKeys();
    if (isFresh || !(await this.#isSigned(token, header))) throw new ProviderError('failed to verify id token signature');
  }

  async #isSigned(token: string, { kid, alg }: JsonObject): Promise<boolean> {
    for (const key of this.#keys) {
      if (typeof kid === 'string' && kid !== '' && key['kid'] !== kid) continue;
      if (await isSignedBy(token, key, String(alg))) return true;
    }
    return false;
  }

  /** Concurrent callers share one fetch. */
  #fetchKeys(): Promise<void> {
    this.#pendingFetch ??= this.#refresh().finally(() => {
      this.#pendingFetch = undefined;
    });
    return this.#pendingFetch;
  }

  async #refresh(): Promise<void> {
    const { document, maxAgeMs } = await fetchJson(this.#url, this.#tls, this.#options);
    const { keys } = document;
    this.#keys = Array.isArray(keys) ? keys.filter(isJsonObject) : [];
    this.#expiresMs = this.#options.clock.nowMs() + maxAgeMs;
  }
}

async function isSignedBy(token: string, key: JsonObject, algorithm: string): Promise<boolean> {
  try {
    // The key's declared use is ignored, as in go-jose.
    const { use: _, key_ops: __, alg: ___, ext: ____, ...jwk } = key;
    await compactVerify(token, await importJWK(jwk as JWK, algorithm), { algorithms: [algorithm] });
    return true;
  } catch {
    // A key of another type or issuer; the next one may match.
    return false;
  }
}
