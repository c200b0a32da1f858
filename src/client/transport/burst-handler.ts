import { type ApiHandler, isStream } from '../../meta/index.ts';
import { observeEnd } from './observe-end.ts';
import { isStreaming } from './request-target.ts';

/** From this number of requests in flight on, further requests use the cheaper transport. */
const burstThreshold = 6;

/**
 * From this number of open streams on, further streams use messages: while a page has more than two, Chromium takes it for loading, for up
 * to a minute, and postpones updates and the activation of workers (measured in Chromium 156).
 */
const streamThreshold = 2;

/** A fetch follows the redirections of a proxied server, to addresses that are not below the base of the cluster. */
const proxyPath = /^[^?]*\/proxy\//;

/**
 * Sends requests through `usual` (fetch, visible in the browser's developer tools) and those of a burst through `burst`. Chromium delivers
 * about 800 fetches a second to a worker, but 50,000 messages (facts). The first streams use `usual`: the browser counts them as activity
 * of the worker and prevents its termination. A fetch cannot switch protocols, but messages can.
 */
export function createBurstHandler(usual: ApiHandler, burst: ApiHandler): ApiHandler {
  let inFlight = 0;
  let streams = 0;
  return async (request) => {
    const isBurst = isStreaming(request.target) ? streams >= streamThreshold : inFlight >= burstThreshold;
    if (isBurst || request.acceptsUpgrade || proxyPath.test(request.target)) return burst(request);
    inFlight++;
    try {
      const answer = await usual(request);
      if (!isStream(answer.body)) return answer;
      streams++;
      return { ...answer, body: observeEnd(answer.body, () => streams--) };
    } finally {
      inFlight--;
    }
  };
}
