/** Who is asking: each method of part 5.2, and their union. */
export { type Authenticated, createRequestAuthenticator, type RequestAuthenticator } from './authenticate.ts';
export type { Authenticator, Credentials } from './authenticator.ts';
export { readTokenFile, type StaticTokens, TokenFileError, tokenFileAuthenticator } from './token-file.ts';
export { anonymousName, authenticatedGroup, type User, unauthenticatedGroup } from './user.ts';
