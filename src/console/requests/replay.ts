import { isStreaming } from '../../client/index.ts';
import { attemptIdHeader } from '../../meta/index.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import type { RequestRecord } from '../model/request-log.ts';

/** The recorded length of bodies. A body that may be truncated is not sent again. */
const bodyMax = 64 * 1024;

/** Whether the request was recorded completely, so that it can be sent again. */
export function canReplay({ requestHeaders, requestBody, target }: RequestRecord): boolean {
  return requestHeaders.length > 0 && requestBody.length < bodyMax && !isStreaming(target);
}

/** Sends a request again, as the same user or with another token. Returns the id of the new request. */
export async function replay(
  model: ConsoleModel,
  { method, target, requestHeaders, requestBody }: RequestRecord,
  token: string,
): Promise<string> {
  const headers = new Headers(requestHeaders.map(([name, value]): [string, string] => [name, value]));
  const id = model.env.random.uuid();
  // With the old id the server would replay the recorded response of a write.
  headers.set(attemptIdHeader, id);
  if (token !== '') headers.set('authorization', `Bearer ${token}`);
  const body = requestBody === '' ? undefined : new TextEncoder().encode(requestBody);
  await model.actionApi('requests')({ method, target, headers, body, signal: new AbortController().signal });
  return id;
}
