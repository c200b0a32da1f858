import { routeProduces } from '../codec/index.ts';
import { type ApiRequest, StatusError } from '../meta/index.ts';

/** By the router: none of what a path produces is accepted. @throws StatusError 406 */
export function refuseUnlessProduced({ headers }: ApiRequest, produced: readonly string[]): void {
  if (routeProduces(headers.get('accept') ?? '', produced)) return;
  throw new StatusError(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${produced.join(', ')}`, {});
}

/** By whoever has to write the answer. */
export function notAcceptable(types: readonly string[]): StatusError {
  return new StatusError(406, 'NotAcceptable', `only the following media types are accepted: ${types.join(', ')}`);
}
