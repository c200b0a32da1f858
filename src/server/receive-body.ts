import type { User } from '../authn/index.ts';
import type { ApiRequest } from '../meta/index.ts';
import { maxBodyBytes } from './body.ts';
import { lastsLong } from './deadlines.ts';
import type { ServerParts } from './parts.ts';
import type { RequestInfo } from './request-info.ts';

const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export interface Receiving {
  readonly user: User;
  /** What the whole request may take; undefined: any time. */
  readonly deadlineMs: number | undefined;
}

/**
 * Receives the body of a request that may be served, where the host has not done so. Nobody else makes the server read anything.
 * The result is what is left of the deadline. @throws DeadlineExceeded | TooManyRequests | StatusError when the client goes
 */
export async function receiveBody(
  { deadlines, inFlight, env }: ServerParts,
  request: ApiRequest,
  info: RequestInfo,
  { user, deadlineMs }: Receiving,
): Promise<number | undefined> {
  if (!request.receiveBody || !withBody.has(request.method) || lastsLong(info)) return deadlineMs;
  const leave = inFlight.enterBody(user);
  const startMs = env.clock.monotonicMs();
  try {
    await deadlines.keepRequest(request.receiveBody(maxBodyBytes), deadlineMs);
  } finally {
    leave();
  }
  return deadlineMs === undefined ? undefined : Math.max(1, deadlineMs - (env.clock.monotonicMs() - startMs));
}
