import { msg } from '@lit/localize';

/** What each stage of a request is for, in one sentence. */
const stages: readonly (readonly [pattern: RegExp, about: () => string])[] = [
  [/^authn|authentication/, () => msg('Who is asking: the authenticator that took the credentials, and the user it made of them.')],
  [/^route|^info/, () => msg('What is asked: the verb and the resource that method and path stand for.')],
  [/^refused|^failed/, () => msg('The request ended here.')],
  [/^audit/, () => msg('What the audit policy wants to have written down.')],
  [/^impersonat/, () => msg('Whether the user may act as another, and as whom.')],
  [/^flow|priority|apf/, () => msg('Which queue the request waits in when there are many.')],
  [/^authz|authorization/, () => msg('May they: each authorizer in order, until one has an opinion.')],
  [/^decode|negotiat/, () => msg('The body is read strictly into its kind.')],
  [/^default/, () => msg('Fields left out get their defaults.')],
  [/^mutat|^admission/, () => msg('Plugins and policies may change the object.')],
  [/^admit/, () => msg('Plugins and policies may refuse what is about to be written.')],
  [/^validat/, () => msg('The object is checked field by field.')],
  [/^stor|^etcd|^registry/, () => msg('The object is read or written at one revision.')],
  [/^watch/, () => msg('Changes are sent as they happen.')],
  [/^encode|^response|serialize/, () => msg('The answer is written in the form that was asked for.')],
];

export function describeStage(stage: string): string {
  return stages.find(([pattern]) => pattern.test(stage.toLowerCase()))?.[1]() ?? '';
}

const statuses: Readonly<Record<number, () => string>> = {
  400: () => msg('Bad request: the server could not read what was asked, so it did nothing.'),
  401: () => msg('Unauthorized: the credentials are not known. A wrong token is never treated as anonymous.'),
  403: () => msg('Forbidden: the user is known, but no rule allows this verb on this resource here.'),
  404: () => msg('Not found: there is no such object, or no such resource.'),
  405: () => msg('Method not allowed: the resource exists, but does not do this.'),
  406: () => msg('Not acceptable: the server cannot answer in any of the media types in Accept.'),
  409: () => msg('Conflict: somebody else changed or made the object first, or owns a field that was applied.'),
  410: () => msg('Gone: the version asked for is no longer kept. Clients list again and watch from there.'),
  415: () => msg('Unsupported media type: the server does not read bodies of this Content-Type.'),
  422: () => msg('Unprocessable: the object was read, but some of its fields are not valid.'),
  429: () => msg('Too many requests: try again after the time in Retry-After.'),
  500: () => msg('Internal error: the server failed; the request may have had an effect.'),
  503: () => msg('Unavailable: the server cannot answer just now.'),
  599: () => msg('No answer: the connection to the cluster failed.'),
};

export function describeStatus(status: number): string {
  return statuses[status]?.() ?? '';
}
