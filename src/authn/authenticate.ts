import { type Product, unauthorized } from '../meta/index.ts';
import { type Authenticator, type Credentials, type Found, isFound, type Outcome, type TokenAuthenticator } from './authenticator.ts';
import { readBearerToken } from './bearer-token.ts';
import { readSocketToken } from './socket-token.ts';
import { anonymousName, authenticatedGroup, type User, unauthenticatedGroup } from './user.ts';

export interface Authenticated {
  readonly user: User;
  /** The method that decided. */
  readonly by: string;
  /** Texts for Warning headers. */
  readonly warnings: readonly string[];
  /** For the audit log. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** What a TokenReview asks: whose is this token? */
export interface Reviewed {
  /** Undefined: nobody's. */
  readonly user: User | undefined;
  readonly audiences: readonly string[];
  /** Why not, in the words of all methods that looked at it; empty when nothing was said. */
  readonly error: string;
}

/** Finds out who makes a request (part 5.1). */
export interface RequestAuthenticator {
  /** @throws StatusError 401 when credentials are given that no method accepts, and without any when anonymous requests are off */
  authenticate(request: Omit<Credentials, 'audiences'>): Promise<Authenticated>;
  /** `audiences` empty: those of the API. */
  review(token: string, audiences: readonly string[]): Promise<Reviewed>;
}

/** Who may come without credentials: nobody, everybody, or whoever asks for exactly one of these paths. */
export type AnonymousRule = 'off' | 'everywhere' | ReadonlySet<string>;

export interface Methods {
  /** What looks at the request, in order. */
  readonly requests: readonly Authenticator[];
  /** What looks at its bearer token, in order. */
  readonly tokens: readonly TokenAuthenticator[];
  readonly anonymous: AnonymousRule;
  /** For whom tokens have to be that are used here. */
  readonly audiences: readonly string[];
  readonly product: Product;
}

/** The union of all methods: the first that finds a user decides (part 5.1 rule 4). */
export function createRequestAuthenticator(methods: Methods): RequestAuthenticator {
  const { requests, tokens, anonymous } = methods;
  return {
    async authenticate(request) {
      const credentials = { ...request, audiences: methods.audiences };
      const { token, warning } = readBearerToken(request.headers.get('authorization'));
      const union = new Union();
      for (const method of requests) {
        const outcome = method.authenticate(credentials);
        if (union.takes(method.name, outcome instanceof Promise ? await outcome : outcome)) break;
      }
      if (!union.found && token !== undefined) await askForToken(union, tokens, token, credentials.audiences);
      if (!union.found) await askForSocketToken(union, methods, request.headers);
      if (!union.found && union.refused.length === 0 && isAllowed(anonymous, request.path)) union.takes('anonymous', asAnonymous([]));
      if (!union.found) throw unauthorized();
      const warnings = [...(warning === undefined ? [] : [warning]), ...(union.found.warnings ?? [])];
      return { user: union.found.user, by: union.by, warnings, annotations: union.found.annotations ?? {} };
    },
    async review(given, audiences) {
      const asked = audiences.length > 0 ? audiences : methods.audiences;
      const { token } = readBearerToken(`Bearer ${given}`);
      const union = new Union();
      if (token !== undefined) await askForToken(union, tokens, token, asked);
      else if (isAllowed(anonymous, '')) union.takes('anonymous', asAnonymous(asked));
      return { user: union.found?.user, audiences: union.found?.audiences ?? [], error: union.found ? '' : together(union.refused) };
    },
  };
}

async function askForSocketToken(union: Union, { tokens, audiences, product }: Methods, headers: Credentials['headers']): Promise<void> {
  const said = readSocketToken(headers, product);
  if ('problem' in said) union.refused.push(said.problem);
  else if (said.token !== undefined) await askForToken(union, tokens, said.token, audiences);
}

async function askForToken(
  union: Union,
  tokens: readonly TokenAuthenticator[],
  token: string,
  audiences: readonly string[],
): Promise<void> {
  // What the server's own token, which is looked at first, says of any other.
  union.refused.push('invalid bearer token');
  for (const method of tokens) {
    const outcome = method.authenticate(token, audiences);
    // Static tokens answer at once, and most requests carry one.
    if (union.takes(method.name, outcome instanceof Promise ? await outcome : outcome)) return;
  }
}

/** What the methods asked so far have said. */
class Union {
  found: Found | undefined;
  by = '';
  readonly refused: string[] = [];

  takes(name: string, outcome: Outcome): boolean {
    if (!isFound(outcome)) {
      if (outcome) this.refused.push(...outcome.refused);
      return false;
    }
    this.found = inAuthenticatedGroup(outcome);
    this.by = name;
    return true;
  }
}

function asAnonymous(audiences: readonly string[]): Found {
  return { user: { username: anonymousName, uid: '', groups: [unauthenticatedGroup], extra: {} }, audiences };
}

function isAllowed(anonymous: AnonymousRule, path: string): boolean {
  return typeof anonymous === 'string' ? anonymous === 'everywhere' : anonymous.has(path);
}

/** Part 5.1 rule 5; once, at the end. */
function inAuthenticatedGroup(found: Found): Found {
  const { user } = found;
  if (user.username === anonymousName) return found;
  if (user.groups.includes(authenticatedGroup) || user.groups.includes(unauthenticatedGroup)) return found;
  return { ...found, user: { ...user, groups: [...user.groups, authenticatedGroup] } };
}

/** As Go shows an aggregate of errors: each once. */
function together(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  return distinct.length > 1 ? `[${distinct.join(', ')}]` : (distinct[0] ?? '');
}
