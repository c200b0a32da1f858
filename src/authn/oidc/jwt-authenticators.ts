import type { TokenAuthenticator } from '../authenticator.ts';
import { tokenUnion } from '../token-union.ts';
import { type JwtAuthenticator, type JwtAuthenticatorOptions, jwtAuthenticator } from './jwt-authenticator.ts';
import type { CheckedJwt } from './validate.ts';

/** Tokens of all configured issuers; the configuration can be replaced while the server runs. */
export interface JwtAuthenticators extends TokenAuthenticator {
  /**
   * Discovers the new issuers, and switches to them once all are found.
   * @throws Error after a timeout; the old issuers remain
   */
  replace(jwt: readonly CheckedJwt[]): Promise<void>;
}

const replaceTimeoutMs = 60_000;
const pollIntervalMs = 1_000;

export function jwtAuthenticators(jwt: readonly CheckedJwt[], options: JwtAuthenticatorOptions): JwtAuthenticators {
  const { clock } = options.env;
  const begin = (checked: readonly CheckedJwt[]): readonly JwtAuthenticator[] => checked.map((one) => jwtAuthenticator(one, options));
  let current = begin(jwt);
  let union = tokenUnion('issued token', current, 'first-refusal');
  return {
    name: 'issued token',
    authenticate: (token, audiences) => union.authenticate(token, audiences),
    async replace(next) {
      const begun = begin(next);
      const untilMs = clock.monotonicMs() + replaceTimeoutMs;
      for (let problems = healthErrors(begun); problems.length > 0; problems = healthErrors(begun)) {
        if (clock.monotonicMs() > untilMs) {
          for (const one of begun) one.stop();
          throw new Error(problems.join(', '));
        }
        await clock.sleep(pollIntervalMs);
      }
      for (const one of current) one.stop();
      current = begun;
      union = tokenUnion('issued token', current, 'first-refusal');
    },
  };
}

function healthErrors(authenticators: readonly JwtAuthenticator[]): readonly string[] {
  return authenticators.flatMap((one) => one.healthError() ?? []);
}
