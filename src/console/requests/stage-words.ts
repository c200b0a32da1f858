/** What each stage of a request is for, in one sentence. */
const stages: readonly (readonly [pattern: RegExp, about: string])[] = [
  [/^authn|authentication/, 'Who is asking: the authenticator that took the credentials, and the user it made of them.'],
  [/^route|^info/, 'What is asked: the verb and the resource that method and path stand for.'],
  [/^refused|^failed/, 'The request ended here.'],
  [/^audit/, 'What the audit policy wants to have written down.'],
  [/^impersonat/, 'Whether the user may act as another, and as whom.'],
  [/^flow|priority|apf/, 'Which queue the request waits in when there are many.'],
  [/^authz|authorization/, 'May they: each authorizer in order, until one has an opinion.'],
  [/^decode|negotiat/, 'The body is read strictly into its kind.'],
  [/^default/, 'Fields left out get their defaults.'],
  [/^mutat|^admission/, 'Plugins and policies may change the object.'],
  [/^admit/, 'Plugins and policies may refuse what is about to be written.'],
  [/^validat/, 'The object is checked field by field.'],
  [/^stor|^etcd|^registry/, 'The object is read or written at one revision.'],
  [/^watch/, 'Changes are sent as they happen.'],
  [/^encode|^response|serialize/, 'The answer is written in the form that was asked for.'],
];

export function stageAbout(stage: string): string {
  return stages.find(([pattern]) => pattern.test(stage.toLowerCase()))?.[1] ?? '';
}

const statuses: Readonly<Record<number, string>> = {
  400: 'Bad request: the server could not read what was asked, so it did nothing.',
  401: 'Unauthorized: the credentials are not known. A wrong token is never treated as anonymous.',
  403: 'Forbidden: the user is known, but no rule allows this verb on this resource here.',
  404: 'Not found: there is no such object, or no such resource.',
  405: 'Method not allowed: the resource exists, but does not do this.',
  406: 'Not acceptable: the server cannot answer in any of the media types in Accept.',
  409: 'Conflict: somebody else changed or made the object first, or owns a field that was applied.',
  410: 'Gone: the version asked for is no longer kept. Clients list again and watch from there.',
  415: 'Unsupported media type: the server does not read bodies of this Content-Type.',
  422: 'Unprocessable: the object was read, but some of its fields are not valid.',
  429: 'Too many requests: try again after the time in Retry-After.',
  500: 'Internal error: the server failed; the request may have had an effect.',
  503: 'Unavailable: the server cannot answer just now.',
  599: 'No answer: the connection to the cluster failed.',
};

export function statusAbout(status: number): string {
  return statuses[status] ?? '';
}
