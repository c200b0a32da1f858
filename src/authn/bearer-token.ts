/** What `Authorization` says of a bearer token. */
export interface BearerToken {
  /** Undefined: there is none. */
  readonly token: string | undefined;
  /** For the client. */
  readonly warning: string | undefined;
}

const spaceWarning = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

/** The token of `Authorization: Bearer <token>`; the scheme in any case, text after the token ignored, two spaces mean none. */
export function readBearerToken(authorization: string | null): BearerToken {
  const [scheme = '', token, ...rest] = (authorization ?? '').trim().split(' ');
  if (scheme.toLowerCase() !== 'bearer' || token === undefined) return { token: undefined, warning: undefined };
  if (token !== '') return { token, warning: undefined };
  return { token: undefined, warning: rest.length > 0 ? spaceWarning : undefined };
}
