import type { ApiHandler } from '../../meta/index.ts';
import { isStreaming } from './request-target.ts';

/** From this number of requests in flight on, further requests use the cheaper transport. */
const burstThreshold = 6;

/**
 * Sends requests through `usual` (fetch, visible in the browser's developer tools) and those of a burst through `burst`. Chromium delivers
 * about 800 fetches a second to a worker, but 50,000 messages (facts). Streams always use `usual`: the browser counts them as activity of
 * the worker and prevents its termination. A fetch cannot switch protocols, but messages can.
 */
export function createBurstHandler(usual: ApiHandler, burst: ApiHandler): ApiHandler {
  let inFlight = 0;
  return async (request) => {
    if (request.acceptsUpgrade) return burst(request);
    const transport = inFlight >= burstThreshold && !isStreaming(request.target) ? burst : usual;
    inFlight++;
    try {
      return await transport(request);
    } finally {
      inFlight--;
    }
  };
}
