import { sessionHeader } from '../../client/certificate/index.ts';
import { isRead } from '../../client/index.ts';
import { type ApiHandler, type ApiRequest, type ApiResponse, attemptIdHeader } from '../../meta/index.ts';

/** A fetch event's request, or one of a message port. */
type WithHeaders = Pick<ApiRequest, 'headers'>;

/** The unanswered requests of this instance of the worker. */
export class InFlightRequests {
  readonly #requests = new Set<WithHeaders>();
  #idleWaiters: (() => void)[] = [];

  /** Whether a request with this attempt id is in flight. Linear, since few requests are in flight. */
  has(id: string): boolean {
    for (const { headers } of this.#requests) if (headers.get(attemptIdHeader) === id) return true;
    return false;
  }

  /** Resolves when no request is in flight. */
  async whenIdle(): Promise<void> {
    if (this.#requests.size > 0) await new Promise<void>((resolve) => this.#idleWaiters.push(resolve));
  }

  track<Request extends WithHeaders, Answer>(handle: (request: Request) => Promise<Answer>): (request: Request) => Promise<Answer> {
    return async (request) => {
      this.#requests.add(request);
      try {
        return await handle(request);
      } finally {
        this.#requests.delete(request);
        if (this.#requests.size === 0) for (const resolve of this.#idleWaiters.splice(0)) resolve();
      }
    };
  }
}

/**
 * Single-flight for attempts: a duplicate that arrives while the first is in flight gets its response. The core detects attempts from
 * before a restart of the worker in its storage (KeySpace).
 */
export function deduplicateAttempts(handle: ApiHandler): ApiHandler {
  const inFlight = new Map<string, Promise<ApiResponse>>();
  return (request) => {
    const id = request.headers.get(attemptIdHeader);
    if (id === null || isRead(request.method)) return handle(request);
    const key = JSON.stringify([id, ...userHeaders(request), request.method, request.target, bodyText(request)]);
    const first = inFlight.get(key);
    if (first !== undefined) return first;
    const answer = handle(request).finally(() => inFlight.delete(key));
    inFlight.set(key, answer);
    return answer;
  };
}

/** The headers that identify the user. Other headers differ, since fetch adds headers that a message port does not. */
function userHeaders({ headers }: ApiRequest): string[] {
  const decides = (name: string): boolean => name === 'authorization' || name === sessionHeader || name.startsWith('impersonate-');
  return [...headers].filter(([name]) => decides(name)).map((header) => header.join(': '));
}

/** The body with one character per byte. */
function bodyText({ body }: ApiRequest): string {
  return new TextDecoder('latin1').decode(body);
}
