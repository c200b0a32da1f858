import type { User } from '../../authn/index.ts';
import type { ApiRequest } from '../../meta/index.ts';
import { isLongRunning } from '../limits/deadlines.ts';
import type { RequestInfo } from '../request-info.ts';
import type { ServerDependencies } from '../server-dependencies.ts';
import { maxBodyBytes } from './body.ts';

const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export interface Receiving {
  readonly user: User;
  /** Timeout of the whole request; undefined: none. */
  readonly deadlineMs: number | undefined;
}

/**
 * Receives the body of an authorized request, where the host has not done so. Unauthorized requests never make the server read a body.
 * Returns the rest of the deadline. @throws DeadlineExceeded | TooManyRequests | StatusError when the client disconnects
 */
export async function receiveBody(
  { deadlines, inFlight, env }: ServerDependencies,
  request: ApiRequest,
  info: RequestInfo,
  { user, deadlineMs }: Receiving,
): Promise<number | undefined> {
  if (!request.receiveBody || !withBody.has(request.method) || isLongRunning(info)) return deadlineMs;
  const leave = inFlight.enterBody(user);
  const startMs = env.clock.monotonicMs();
  try {
    await deadlines.enforceRequest(request.receiveBody(maxBodyBytes), deadlineMs);
  } finally {
    leave();
  }
  return deadlineMs === undefined ? undefined : Math.max(1, deadlineMs - (env.clock.monotonicMs() - startMs));
}
