import { ApiError } from '../../client/index.ts';
import { errorMessage } from '../../env/index.ts';

/** By status code, for responses without a Status. Cf. apimachinery NewGenericServerResponse. */
const genericMessages: Readonly<Record<number, string>> = {
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
};

/** The message of an error like client-go's; `resource` is that of the request, with its group: `pods.metrics.k8s.io`. */
export function apiErrorText(error: unknown, resource: string): string {
  const generic = error instanceof ApiError && error.reason === '' ? genericMessages[error.status] : undefined;
  return generic === undefined ? errorMessage(error) : `${generic} (get ${resource})`;
}
