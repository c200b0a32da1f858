import type { AuthenticationResult, MaybePromise, TokenAuthenticator } from './authenticator.ts';
import { isAuthenticated } from './authenticator.ts';

/** The intersection, in the order of the requested audiences. */
export function intersectAudiences(own: readonly string[], requested: readonly string[]): readonly string[] {
  return requested === own ? requested : requested.filter((one) => own.includes(one));
}

/** Limits an authenticator without audience support to the API's audiences. Cf. upstream WrapAudienceAgnosticToken. */
export function wrapAudienceAgnosticToken(api: readonly string[], method: TokenAuthenticator): TokenAuthenticator {
  return {
    name: method.name,
    authenticate(token, requested) {
      const audiences = intersectAudiences(api, requested);
      return audiences.length === 0 ? undefined : withAudiences(method.authenticate(token, requested), audiences);
    },
  };
}

function withAudiences(outcome: MaybePromise<AuthenticationResult>, audiences: readonly string[]): MaybePromise<AuthenticationResult> {
  if (outcome instanceof Promise) return outcome.then((known) => withAudiences(known, audiences));
  return isAuthenticated(outcome) ? { ...outcome, audiences } : outcome;
}
