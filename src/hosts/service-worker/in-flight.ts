import { sessionHeader } from '../../client/certificate/index.ts';
import { isRead, requestIdHeader } from '../../client/index.ts';
import type { ApiHandler, ApiRequest, ApiResponse } from '../../meta/index.ts';

/** The requests that this life of the worker has not answered yet. */
export class UnderWay {
  readonly #requests = new Set<ApiRequest>();
  #quiet: (() => void)[] = [];

  /** Whether one came under this id; few are under way at once and few ask. */
  has(id: string): boolean {
    for (const { headers } of this.#requests) if (headers.get(requestIdHeader) === id) return true;
    return false;
  }

  /** Resolves when nothing is under way. */
  async none(): Promise<void> {
    if (this.#requests.size > 0) await new Promise<void>((resolve) => this.#quiet.push(resolve));
  }

  noting(handle: ApiHandler): ApiHandler {
    return async (request) => {
      this.#requests.add(request);
      try {
        return await handle(request);
      } finally {
        this.#requests.delete(request);
        if (this.#requests.size === 0) for (const resolve of this.#quiet.splice(0)) resolve();
      }
    };
  }
}

/**
 * Lets a write that comes twice under one id be done once: the second waits for the first. What came before a restart of the
 * worker, the core knows from its storage (`KeySpace.committedBy`); this is for the two that meet in one life of it.
 */
export function withoutTwins(handle: ApiHandler): ApiHandler {
  const underWay = new Map<string, Promise<ApiResponse>>();
  return (request) => {
    const id = request.headers.get(requestIdHeader);
    if (id === null || isRead(request.method)) return handle(request);
    // Another user with the same id asks for something else.
    const credentials = ['authorization', sessionHeader].map((name) => request.headers.get(name) ?? '').join('\n');
    const key = `${id}\n${credentials}\n${request.method} ${request.target}`;
    const first = underWay.get(key);
    if (first !== undefined) return first;
    const answer = handle(request).finally(() => underWay.delete(key));
    underWay.set(key, answer);
    return answer;
  };
}
