import type { MaybePromise, Outcome, TokenAuthenticator } from './authenticator.ts';
import { isFound } from './authenticator.ts';

/** The intersection, in the order of the requested audiences. */
export function commonAudiences(own: readonly string[], asked: readonly string[]): readonly string[] {
  return asked === own ? asked : asked.filter((one) => own.includes(one));
}

/** Limits an authenticator without audience support to the API's audiences. Cf. upstream WrapAudienceAgnosticToken. */
export function forApiAlone(api: readonly string[], method: TokenAuthenticator): TokenAuthenticator {
  return {
    name: method.name,
    authenticate(token, asked) {
      const audiences = commonAudiences(api, asked);
      return audiences.length === 0 ? undefined : withAudiences(method.authenticate(token, asked), audiences);
    },
  };
}

function withAudiences(outcome: MaybePromise<Outcome>, audiences: readonly string[]): MaybePromise<Outcome> {
  if (outcome instanceof Promise) return outcome.then((known) => withAudiences(known, audiences));
  return isFound(outcome) ? { ...outcome, audiences } : outcome;
}
