/** The bearer token of an `Authorization` header. */
export interface BearerToken {
  /** Undefined without one. */
  readonly token: string | undefined;
  /** For a Warning header. */
  readonly warning: string | undefined;
}

const spaceWarning = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

/** Parses `Authorization: Bearer <token>`. The scheme ignores case, text after the token is ignored, two spaces mean no token. */
export function readBearerToken(authorization: string | null): BearerToken {
  const [scheme = '', token, ...rest] = (authorization ?? '').trim().split(' ');
  if (scheme.toLowerCase() !== 'bearer' || token === undefined) return { token: undefined, warning: undefined };
  if (token !== '') return { token, warning: undefined };
  return { token: undefined, warning: rest.length > 0 ? spaceWarning : undefined };
}
