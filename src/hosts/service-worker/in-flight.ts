import { isRead, requestIdHeader } from '../../client/index.ts';
import type { ApiHandler, ApiResponse } from '../../meta/index.ts';

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
    const key = `${id}\n${request.headers.get('authorization') ?? ''}\n${request.method} ${request.target}`;
    const first = underWay.get(key);
    if (first !== undefined) return first;
    const answer = handle(request).finally(() => underWay.delete(key));
    underWay.set(key, answer);
    return answer;
  };
}
