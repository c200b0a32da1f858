import { msg } from '@lit/localize';

/** A one-sentence description of each request stage. */
const stages: readonly (readonly [pattern: RegExp, about: () => string])[] = [
  [/^authn|authentication/, () => msg('Authentication: the method that accepted the credentials, and the resulting user.')],
  [/^route|^info/, () => msg('Request info: the verb and the resource from method and path.')],
  [/^refused|^failed/, () => msg('The request ended here.')],
  [/^audit/, () => msg('Audit: the policy selects the recorded events.')],
  [/^impersonat/, () => msg('Impersonation: checks the permission to act as another user.')],
  [/^flow|priority|apf/, () => msg('Priority and fairness: the queue of the request under load.')],
  [/^authz|authorization/, () => msg('Authorization: each authorizer is called in turn until one decides.')],
  [/^decode|negotiat/, () => msg('The body is decoded strictly as its kind.')],
  [/^default/, () => msg('Omitted fields get their default values.')],
  [/^mutat|^admission/, () => msg('Admission plugins and policies can change the object.')],
  [/^admit/, () => msg('Admission plugins and policies can reject the request.')],
  [/^validat/, () => msg('The fields of the object are validated.')],
  [/^stor|^etcd|^registry/, () => msg('The object is read from or written to storage.')],
  [/^watch/, () => msg('Changes are streamed as they occur.')],
  [/^encode|^response|serialize/, () => msg('The response is encoded in the requested media type.')],
];

export function describeStage(stage: string): string {
  return stages.find(([pattern]) => pattern.test(stage.toLowerCase()))?.[1]() ?? '';
}

const statuses: Readonly<Record<number, () => string>> = {
  400: () => msg('Bad request: the server could not decode the request and changed nothing.'),
  401: () => msg('Unauthorized: the credentials are invalid. An invalid token is never treated as anonymous.'),
  403: () => msg('Forbidden: no rule allows the user to use this verb on this resource.'),
  404: () => msg('Not found: the object or the resource does not exist.'),
  405: () => msg('Method not allowed: the resource does not support this method.'),
  406: () => msg('Not acceptable: the server supports none of the media types in Accept.'),
  409: () => msg('Conflict: the object was changed or created in the meantime, or another manager owns an applied field.'),
  410: () => msg('Gone: the requested resource version has expired. Clients must list again and watch from the new version.'),
  415: () => msg('Unsupported media type: the server does not accept this Content-Type.'),
  422: () => msg('Unprocessable: some fields of the object are invalid.'),
  429: () => msg('Too many requests: try again after the time in Retry-After.'),
  500: () => msg('Internal error: the request failed in the server and may have taken effect.'),
  503: () => msg('Unavailable: the server cannot handle requests at the moment.'),
  599: () => msg('No response: the connection to the cluster failed.'),
};

export function describeStatus(status: number): string {
  return statuses[status]?.() ?? '';
}
