import {
  type CertificateProof,
  certificatesPath,
  challengesPath,
  encodeSignedBytes,
  sessionHeader,
  signatureAlgorithms,
} from '../../client/certificate/index.ts';
import type { Clock } from '../../env/index.ts';
import { type ApiHandler, type ApiRequest, type ApiResponse, base64ToBytes, bytesToHex, isJsonObject } from '../../meta/index.ts';
import { readCertificate, X509Error } from '../../x509/index.ts';

/** Validity of a challenge. */
const challengeMs = 60_000;
const challengesMax = 1_000;
/** Beyond this the oldest sessions are evicted; their pages present their certificates again. */
const sessionsMax = 1_000;
const chainMax = 10;
const bodyMaxBytes = 64 * 1024;

/**
 * Client certificate authentication without TLS: a page presents a certificate, proves possession of the key by a signature, and its
 * further requests carry that certificate (client/certificate). The core verifies the certificate.
 */
export class CertificateSessions {
  readonly #core: ApiHandler;
  readonly #clock: Clock;
  readonly #origin: string;
  /** Expiration times of challenges. */
  readonly #challenges = new Map<string, number>();
  readonly #sessions = new Map<string, readonly Uint8Array[]>();

  constructor(core: ApiHandler, clock: Clock, origin: string) {
    this.#core = core;
    this.#clock = clock;
    this.#origin = origin;
  }

  readonly handle: ApiHandler = (request) => {
    if (request.target.startsWith(certificatesPath)) return this.#handleSessionRequest(request);
    const session = request.headers.get(sessionHeader);
    if (session === null) return this.#core(request);
    const certificates = this.#sessions.get(session);
    if (!certificates) return Promise.resolve({ ...errorResponse(401, 'Unauthorized'), headers: [...json, [sessionHeader, 'unknown']] });
    const headers = new Headers([...request.headers]);
    headers.delete(sessionHeader);
    return this.#core({ ...request, headers, peer: { ...request.peer, certificates } });
  };

  async #handleSessionRequest({ method, target, body }: ApiRequest): Promise<ApiResponse> {
    if (method !== 'POST') return errorResponse(405, 'certificates can only be shown');
    if (target === challengesPath) return jsonResponse(201, { challenge: this.#newChallenge() });
    if (target !== certificatesPath) return errorResponse(404, `there is nothing at ${target}`);
    const shown = parsePresentedChain(body);
    if (!shown) return errorResponse(400, 'what was sent shows no certificate');
    if (!this.#takeChallenge(shown.challenge)) return errorResponse(400, 'the challenge is not one of the last minute');
    const chain = shown.chain.map(base64ToBytes);
    if (!(await isSignedByOwner(chain[0], shown, this.#origin))) return errorResponse(400, 'tls: private key does not match public key');
    return jsonResponse(201, { session: this.#createSession(chain) });
  }

  #newChallenge(): string {
    const challenge = createSecret();
    this.#challenges.set(challenge, this.#clock.nowMs() + challengeMs);
    evictOldest(this.#challenges, challengesMax);
    return challenge;
  }

  /** Each challenge is valid once. */
  #takeChallenge(challenge: string): boolean {
    const untilMs = this.#challenges.get(challenge);
    this.#challenges.delete(challenge);
    return untilMs !== undefined && this.#clock.nowMs() <= untilMs;
  }

  #createSession(chain: readonly Uint8Array[]): string {
    const session = createSecret();
    this.#sessions.set(session, chain);
    evictOldest(this.#sessions, sessionsMax);
    return session;
  }
}

function evictOldest(map: Map<string, unknown>, max: number): void {
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}

/** An unguessable bearer secret. */
function createSecret(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
}

async function isSignedByOwner(own: Uint8Array<ArrayBuffer> | undefined, shown: CertificateProof, origin: string): Promise<boolean> {
  const spki = own && readPublicKeyInfo(own);
  if (!spki) return false;
  const bytes = encodeSignedBytes(origin, shown.challenge);
  const signature = base64ToBytes(shown.signature);
  for (const { key, signing } of signatureAlgorithms) {
    try {
      const publicKey = await crypto.subtle.importKey('spki', spki, key, false, ['verify']);
      if (await crypto.subtle.verify(signing, publicKey, signature, bytes)) return true;
    } catch {
      // The key has another algorithm.
    }
  }
  return false;
}

/** The key of a certificate, as SubjectPublicKeyInfo; undefined when the bytes are not a certificate. */
function readPublicKeyInfo(certificate: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(readCertificate(certificate).spki);
  } catch (error) {
    if (error instanceof X509Error) return undefined;
    throw error;
  }
}

function parsePresentedChain(body: Uint8Array | undefined): CertificateProof | undefined {
  if (!body || body.length > bodyMaxBytes) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    if (!isJsonObject(value)) return undefined;
    const { chain, challenge, signature } = value;
    if (!Array.isArray(chain) || chain.length === 0 || chain.length > chainMax) return undefined;
    if (typeof challenge !== 'string' || typeof signature !== 'string') return undefined;
    const texts = [...chain, signature].filter((one): one is string => typeof one === 'string' && isBase64(one));
    return texts.length === chain.length + 1 ? { chain: texts.slice(0, -1), challenge, signature } : undefined;
  } catch {
    // Invalid JSON.
    return undefined;
  }
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0;
}

const json: readonly (readonly [string, string])[] = [['content-type', 'application/json']];

function jsonResponse(status: number, value: object): ApiResponse {
  return { status, headers: json, body: JSON.stringify(value) };
}

function errorResponse(code: number, message: string): ApiResponse {
  return jsonResponse(code, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code });
}
