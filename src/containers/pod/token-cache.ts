import type { Clock } from '../../env/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

interface CachedToken {
  readonly token: string;
  readonly requestedMs: number;
}

/** The age at which tokens are renewed at the latest. Cf. pkg/kubelet/token maxTTL. */
const maxAgeMs = 24 * 3_600_000;

/** Tokens of a pod's service account, which are renewed after four fifths of their life. Cf. pkg/kubelet/token Manager. */
export class TokenCache {
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #tokens = new Map<string, CachedToken>();

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock;
  }

  async get(
    { audience = '', expirationSeconds = 3_600 }: corev1.ServiceAccountTokenProjection,
    request: () => Promise<string>,
  ): Promise<string> {
    const key = `${audience}/${expirationSeconds}`;
    const known = this.#tokens.get(key);
    const nowMs = this.#clock.nowMs();
    if (known && nowMs - known.requestedMs < Math.min(maxAgeMs, expirationSeconds * 800)) return known.token;
    const token = await request();
    this.#tokens.set(key, { token, requestedMs: nowMs });
    return token;
  }
}
