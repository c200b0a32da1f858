import { OutboundError } from '../../env/index.ts';
import { type ApiHandler, bytesToBase64 } from '../../meta/index.ts';
import { type CertificateProof, certificatesPath, challengesPath, encodeSignedBytes, sessionHeader } from './certificate-protocol.ts';
import { readPrivateKey } from './private-key.ts';

/** A certificate with its private key, in PEM. */
interface Identity {
  readonly certificate: string;
  readonly key: string;
}

/** Opens and caches the certificate sessions of a page, one a certificate. Opens a new one when the host has dropped it. */
export class ClientCertificateSessions {
  readonly #api: ApiHandler;
  readonly #subtle: SubtleCrypto;
  readonly #origin: string;
  /** Keyed by the certificate's PEM. */
  readonly #sessions = new Map<string, Promise<string>>();

  /** `api` connects to the host and is used to open sessions. */
  constructor(api: ApiHandler, subtle: SubtleCrypto, origin: string) {
    this.#api = api;
    this.#subtle = subtle;
    this.#origin = origin;
  }

  /** Sends requests through `api`, authenticated by the certificate. @throws OutboundError when the key does not match the certificate */
  withCertificate(identity: Identity, api: ApiHandler): ApiHandler {
    const send = async (request: Parameters<ApiHandler>[0]): ReturnType<ApiHandler> => {
      const headers = new Headers([...request.headers]);
      headers.set(sessionHeader, await this.#sessionFor(identity));
      return api({ ...request, headers });
    };
    return async (request) => {
      const answer = await send(request);
      if (!answer.headers.some(([name, value]) => name === sessionHeader && value === 'unknown')) return answer;
      // A restarted worker loses its sessions. It rejects the request before processing, so the request can be sent again.
      this.#sessions.delete(identity.certificate);
      return send(request);
    };
  }

  #sessionFor(identity: Identity): Promise<string> {
    const known = this.#sessions.get(identity.certificate);
    if (known) return known;
    const shown = this.#openSession(identity);
    this.#sessions.set(identity.certificate, shown);
    shown.catch(() => this.#sessions.delete(identity.certificate));
    return shown;
  }

  async #openSession({ certificate, key }: Identity): Promise<string> {
    const signing = await readPrivateKey(key, this.#subtle);
    if (!signing) throw new OutboundError('unreachable', 'tls: failed to parse private key');
    const challenge = await this.#post(challengesPath, {}, 'challenge');
    const signature = await this.#subtle.sign(signing.algorithm.signing, signing.key, encodeSignedBytes(this.#origin, challenge));
    const chain = [...certificate.matchAll(/-----BEGIN CERTIFICATE-----([^-]*)-----END/g)].map(([, text = '']) => text.replace(/\s/g, ''));
    const proof: CertificateProof = { chain, challenge, signature: bytesToBase64(new Uint8Array(signature)) };
    return this.#post(certificatesPath, proof, 'session');
  }

  async #post(target: string, body: object, wanted: string): Promise<string> {
    const answer = await this.#api({
      method: 'POST',
      target,
      headers: new Headers({ 'content-type': 'application/json' }),
      body: new TextEncoder().encode(JSON.stringify(body)),
      signal: new AbortController().signal,
    });
    const { body: responseBody } = answer;
    const text =
      responseBody instanceof Uint8Array ? new TextDecoder().decode(responseBody) : typeof responseBody === 'string' ? responseBody : '{}';
    const found = (JSON.parse(text) as Readonly<Record<string, unknown>>)[answer.status === 201 ? wanted : 'message'];
    if (answer.status !== 201) throw new OutboundError('unreachable', String(found));
    return String(found);
  }
}
