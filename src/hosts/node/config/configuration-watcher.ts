import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { ConfigurationReport, Reloads } from '../../../cluster/index.ts';
import type { Env } from '../../../env/index.ts';
import { watchFile } from './watch-file.ts';

/** A configuration file that is reloaded when it changes. Invalid content is rejected. */
export class ConfigurationWatcher implements ConfigurationReport {
  readonly of: ConfigurationReport['of'];
  readonly serverHash: string = serverHashOf(hostname());
  readonly reloads: Map<'success' | 'failure', Reloads> = new Map();
  readonly #path: string;
  readonly #content: string;
  readonly #env: Env;
  #contentHash: string;

  constructor(of: ConfigurationReport['of'], { path, content }: { readonly path: string; readonly content: string }, env: Env) {
    this.of = of;
    this.#path = path;
    this.#content = content;
    this.#env = env;
    this.#contentHash = hashOf(content);
  }

  get contentHash(): string {
    return this.#contentHash;
  }

  /**
   * Calls `apply` for new content; it throws to reject it. With `retryMs`, the same content is tried again after that time. The returned
   * function stops watching.
   */
  watch(apply: (content: string) => Promise<void>, retryMs?: number): () => void {
    const { clock, log } = this.#env;
    let cancelRetry = (): void => {};
    const attempt = async (content: string): Promise<void> => {
      cancelRetry();
      try {
        await apply(content);
        this.#contentHash = hashOf(content);
        this.#count('success');
      } catch (error) {
        this.#count('failure');
        const retry = (): void =>
          void attempt(content).catch((again: unknown) =>
            log.error('a configuration file is not applied', { path: this.#path, error: again }),
          );
        if (retryMs !== undefined) cancelRetry = clock.schedule(retryMs, retry);
        throw error;
      }
    };
    const stop = watchFile(this.#path, this.#content, this.#env, attempt);
    return () => {
      stop();
      cancelRetry();
    };
  }

  #count(status: 'success' | 'failure'): void {
    const { count } = this.reloads.get(status) ?? { count: 0 };
    this.reloads.set(status, { count: count + 1, lastMs: this.#env.clock.nowMs() });
  }
}

function hashOf(text: string): string {
  return text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** Hash of the server id, for the metrics of configuration reloads. */
export function serverHashOf(host: string): string {
  return hashOf(serverId(host));
}

const base32Digits = 'abcdefghijklmnopqrstuvwxyz234567';

/** The API server id, derived from the host name (upstream genericapiserver NewConfig). */
export function serverId(host: string): string {
  const named = [host, 'kube-apiserver'].map((part) => Buffer.from(part));
  const sized = named.flatMap((bytes) => [Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
  const hash = createHash('sha256').update(Buffer.concat(sized)).digest().subarray(0, 16);
  const bits = [...hash].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const digits = bits.match(/.{1,5}/g) ?? [];
  return `apiserver-${digits.map((five) => base32Digits[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')}`;
}
