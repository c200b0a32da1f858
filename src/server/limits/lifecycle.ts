import type { ApiRequest, ApiResponse } from '../../meta/index.ts';
import { plain } from '../paths/health.ts';

/** Probes and metrics are served to the end; cf. upstream filters/with_retry_after.go. */
const exemptPaths = ['/readyz', '/livez', '/healthz', '/metrics'] as const;

/** Shutdown state of a server. Cf. upstream server/lifecycle_signals.go */
export class Lifecycle {
  readonly #ownAgent: string;
  #isShuttingDown = false;
  #refusal: ApiResponse | undefined;

  /** `ownAgent`: User-Agent prefix of loopback clients, which are served to the end. */
  constructor(ownAgent: string) {
    this.#ownAgent = ownAgent;
  }

  /** From now on `/readyz` fails; all other requests are served. */
  initiateShutdown(): void {
    this.#isShuttingDown = true;
  }

  /** New requests are rejected; `--shutdown-send-retry-after` selects the response. */
  stopTakingRequests({ sendRetryAfter }: { readonly sendRetryAfter: boolean }): void {
    this.#refusal = sendRetryAfter ? tryAgainLater() : shuttingDown();
  }

  /** The readiness check `shutdown`. */
  shutdownProblem(): string | undefined {
    return this.#isShuttingDown ? 'process is shutting down' : undefined;
  }

  /** The rejection of a new request; undefined when it is served. */
  refusalOf({ target, headers }: ApiRequest): ApiResponse | undefined {
    if (!this.#refusal || exemptPaths.some((path) => target.startsWith(path))) return undefined;
    return (headers.get('user-agent') ?? '').startsWith(this.#ownAgent) ? undefined : this.#refusal;
  }
}

/** Cf. upstream filters/with_retry_after.go */
function tryAgainLater(): ApiResponse {
  return late(429, 'The apiserver is shutting down, please try again later.\n', '5');
}

/** Cf. upstream filters/waitgroup.go */
function shuttingDown(): ApiResponse {
  return late(503, 'apiserver is shutting down.\n', '1');
}

function late(status: number, text: string, retryAfter: string): ApiResponse {
  const { headers, body } = plain(status, text);
  const named = headers.filter(([name]) => status === 503 || name !== 'cache-control');
  return { status, headers: [...named, ['retry-after', retryAfter], ['connection', 'close']], body };
}
