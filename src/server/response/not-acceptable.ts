import { routeProduces } from '../../codec/index.ts';
import { type ApiRequest, StatusError } from '../../meta/index.ts';

/** Returns the router's 406 when the route produces no accepted media type. @throws StatusError 406 */
export function checkAcceptable({ headers }: ApiRequest, produced: readonly string[]): void {
  if (routeProduces(headers.get('accept') ?? '', produced)) return;
  throw new StatusError(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${produced.join(', ')}`, {});
}

/** The 406 of content negotiation. */
export function notAcceptable(types: readonly string[]): StatusError {
  return new StatusError(406, 'NotAcceptable', `only the following media types are accepted: ${types.join(', ')}`);
}
