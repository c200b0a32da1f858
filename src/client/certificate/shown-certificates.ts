import { OutboundError } from '../../env/index.ts';
import { type ApiHandler, bytesToBase64 } from '../../meta/index.ts';
import { readPrivateKey } from './private-key.ts';
import { certificatesPath, challengesPath, type ShownChain, sessionHeader, signedBytes } from './showing.ts';

/** A certificate with its key, in PEM. */
interface Identity {
  readonly certificate: string;
  readonly key: string;
}

/** The certificates that a page has shown to the host of its cluster; each once, and again when the host has forgotten it. */
export class ShownCertificates {
  readonly #api: ApiHandler;
  readonly #subtle: SubtleCrypto;
  readonly #origin: string;
  /** By PEM. */
  readonly #sessions = new Map<string, Promise<string>>();

  /** `api`: the way to the host, by which certificates are shown. */
  constructor(api: ApiHandler, subtle: SubtleCrypto, origin: string) {
    this.#api = api;
    this.#subtle = subtle;
    this.#origin = origin;
  }

  /** Requests by `api` as the certificate's owner. @throws OutboundError when the key is not the certificate's */
  as(identity: Identity, api: ApiHandler): ApiHandler {
    const send = async (request: Parameters<ApiHandler>[0]): ReturnType<ApiHandler> => {
      const headers = new Headers([...request.headers]);
      headers.set(sessionHeader, await this.#sessionOf(identity));
      return api({ ...request, headers });
    };
    return async (request) => {
      const answer = await send(request);
      if (!answer.headers.some(([name, value]) => name === sessionHeader && value === 'unknown')) return answer;
      // Workers are restarted, and forget; the request was not looked at.
      this.#sessions.delete(identity.certificate);
      return send(request);
    };
  }

  #sessionOf(identity: Identity): Promise<string> {
    const known = this.#sessions.get(identity.certificate);
    if (known) return known;
    const shown = this.#show(identity);
    this.#sessions.set(identity.certificate, shown);
    shown.catch(() => this.#sessions.delete(identity.certificate));
    return shown;
  }

  async #show({ certificate, key }: Identity): Promise<string> {
    const signing = await readPrivateKey(key, this.#subtle);
    if (!signing) throw new OutboundError('unreachable', 'tls: failed to parse private key');
    const challenge = await this.#post(challengesPath, {}, 'challenge');
    const signature = await this.#subtle.sign(signing.algorithm.signing, signing.key, signedBytes(this.#origin, challenge));
    const chain = [...certificate.matchAll(/-----BEGIN CERTIFICATE-----([^-]*)-----END/g)].map(([, text = '']) => text.replace(/\s/g, ''));
    const shown: ShownChain = { chain, challenge, signature: bytesToBase64(new Uint8Array(signature)) };
    return this.#post(certificatesPath, shown, 'session');
  }

  async #post(target: string, body: object, wanted: string): Promise<string> {
    const answer = await this.#api({
      method: 'POST',
      target,
      headers: new Headers({ 'content-type': 'application/json' }),
      body: new TextEncoder().encode(JSON.stringify(body)),
      signal: new AbortController().signal,
    });
    const { body: said } = answer;
    const text = said instanceof Uint8Array ? new TextDecoder().decode(said) : typeof said === 'string' ? said : '{}';
    const found = (JSON.parse(text) as Readonly<Record<string, unknown>>)[answer.status === 201 ? wanted : 'message'];
    if (answer.status !== 201) throw new OutboundError('unreachable', String(found));
    return String(found);
  }
}
