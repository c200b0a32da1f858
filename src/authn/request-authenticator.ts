import { type Product, unauthorized } from '../meta/index.ts';
import {
  type AuthenticationResponse,
  type AuthenticationResult,
  type Authenticator,
  type Credentials,
  isAuthenticated,
  type TokenAuthenticator,
} from './authenticator.ts';
import { readBearerToken } from './bearer-token.ts';
import { anonymousName, authenticatedGroup, type User, unauthenticatedGroup } from './user.ts';
import { readWebSocketToken } from './websocket-token.ts';

export interface AuthenticatedRequest {
  readonly user: User;
  /** Name of the method that authenticated the user. */
  readonly by: string;
  /** For Warning headers. */
  readonly warnings: readonly string[];
  /** For the audit event. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** The result of a TokenReview. */
export interface TokenReviewResult {
  /** Undefined: not authenticated. */
  readonly user: User | undefined;
  readonly audiences: readonly string[];
  /** Errors of all methods that failed; empty without errors. */
  readonly error: string;
}

/** Authenticates requests (part 5.1). */
export interface RequestAuthenticator {
  /** @throws StatusError 401 when no method accepts the credentials; also without credentials when anonymous requests are disabled */
  authenticate(request: Omit<Credentials, 'audiences'>): Promise<AuthenticatedRequest>;
  /** Empty `audiences` stand for those of the API. */
  review(token: string, audiences: readonly string[]): Promise<TokenReviewResult>;
}

/** Allows anonymous requests never, for every path, or for exactly these paths. */
export type AnonymousAccess = 'off' | 'everywhere' | ReadonlySet<string>;

export interface AuthenticationMethods {
  /** Request authenticators, in order. */
  readonly requests: readonly Authenticator[];
  /** Bearer token authenticators, in order. */
  readonly tokens: readonly TokenAuthenticator[];
  readonly anonymous: AnonymousAccess;
  /** The API's audiences. */
  readonly audiences: readonly string[];
  readonly product: Product;
}

/** The union of all methods: the first one that authenticates a user decides (part 5.1 rule 4). */
export function createRequestAuthenticator(methods: AuthenticationMethods): RequestAuthenticator {
  const { requests, tokens, anonymous } = methods;
  return {
    async authenticate(request) {
      const credentials = { audiences: methods.audiences, ...request };
      const { token, warning } = readBearerToken(request.headers.get('authorization'));
      const union = new ResultCollector();
      for (const method of requests) {
        const outcome = method.authenticate(credentials);
        if (union.addResult(method.name, outcome instanceof Promise ? await outcome : outcome)) break;
      }
      if (!union.found && token !== undefined) await authenticateToken(union, tokens, token, credentials.audiences);
      if (!union.found) await authenticateWebSocketToken(union, methods, request.headers);
      if (!union.found && union.errors.length === 0 && isAllowed(anonymous, request.path))
        union.addResult('anonymous', createAnonymousUser([]));
      if (!union.found) throw unauthorized();
      return authenticatedRequest(union.found, union.by, warning);
    },
    async review(given, audiences) {
      const requested = audiences.length > 0 ? audiences : methods.audiences;
      const { token } = readBearerToken(`Bearer ${given}`);
      const union = new ResultCollector();
      if (token !== undefined) await authenticateToken(union, tokens, token, requested);
      else if (isAllowed(anonymous, '')) union.addResult('anonymous', createAnonymousUser(requested));
      return { user: union.found?.user, audiences: union.found?.audiences ?? [], error: union.found ? '' : aggregateErrors(union.errors) };
    },
  };
}

function authenticatedRequest(
  { user, warnings = [], annotations = {} }: AuthenticationResponse,
  by: string,
  warning: string | undefined,
): AuthenticatedRequest {
  return { user, by, warnings: warning === undefined ? warnings : [warning, ...warnings], annotations };
}

async function authenticateWebSocketToken(
  union: ResultCollector,
  { tokens, audiences, product }: AuthenticationMethods,
  headers: Credentials['headers'],
): Promise<void> {
  const socketToken = readWebSocketToken(headers, product);
  if ('problem' in socketToken) union.errors.push(socketToken.problem);
  else if (socketToken.token !== undefined) await authenticateToken(union, tokens, socketToken.token, audiences);
}

async function authenticateToken(
  union: ResultCollector,
  tokens: readonly TokenAuthenticator[],
  token: string,
  audiences: readonly string[],
): Promise<void> {
  // The loopback token authenticator comes first upstream, and fails every other token with this error.
  union.errors.push('invalid bearer token');
  for (const method of tokens) {
    const outcome = method.authenticate(token, audiences);
    // Static tokens resolve synchronously, and most requests carry one.
    if (union.addResult(method.name, outcome instanceof Promise ? await outcome : outcome)) return;
  }
}

/** Collects the results of the methods tried so far. */
class ResultCollector {
  found: AuthenticationResponse | undefined;
  by = '';
  readonly errors: string[] = [];

  addResult(name: string, outcome: AuthenticationResult): boolean {
    if (!isAuthenticated(outcome)) {
      if (outcome) this.errors.push(...outcome.refused);
      return false;
    }
    this.found = addAuthenticatedGroup(outcome);
    this.by = name;
    return true;
  }
}

function createAnonymousUser(audiences: readonly string[]): AuthenticationResponse {
  return { user: { username: anonymousName, uid: '', groups: [unauthenticatedGroup], extra: {} }, audiences };
}

function isAllowed(anonymous: AnonymousAccess, path: string): boolean {
  return typeof anonymous === 'string' ? anonymous === 'everywhere' : anonymous.has(path);
}

/** Part 5.1 rule 5: adds system:authenticated, once at the end. */
function addAuthenticatedGroup(found: AuthenticationResponse): AuthenticationResponse {
  const { user } = found;
  if (user.username === anonymousName) return found;
  if (user.groups.includes(authenticatedGroup) || user.groups.includes(unauthenticatedGroup)) return found;
  return { ...found, user: { ...user, groups: [...user.groups, authenticatedGroup] } };
}

/** Joins errors like Go's aggregate, each once. */
function aggregateErrors(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  return distinct.length > 1 ? `[${distinct.join(', ')}]` : (distinct[0] ?? '');
}
