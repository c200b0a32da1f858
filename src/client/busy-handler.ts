import type { ApiHandler } from '../meta/index.ts';
import { isStreaming } from './target.ts';

/** Answers at once under way from here on take the cheaper way. */
const busyFrom = 6;

/**
 * Sends most requests by `usual` (a fetch, which the browser's own tools show) and those of a burst by `burst`: in Chromium a
 * worker answers some 800 fetches a second and 50,000 messages (facts). Streams always go by `usual`, where the browser counts
 * them as the worker's work.
 */
export function busyHandler(usual: ApiHandler, burst: ApiHandler): ApiHandler {
  let underWay = 0;
  return async (request) => {
    const way = underWay >= busyFrom && !isStreaming(request.target) ? burst : usual;
    underWay++;
    try {
      return await way(request);
    } finally {
      underWay--;
    }
  };
}
