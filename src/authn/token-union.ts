import { type AuthenticationResult, isAuthenticated, type TokenAuthenticator } from './authenticator.ts';

/**
 * Several methods as one: the first one that authenticates a user decides. `all`: after a failure the next method is tried;
 * `first-refusal`: the first failure is final.
 */
export function tokenUnion(name: string, methods: readonly TokenAuthenticator[], mode: 'all' | 'first-refusal'): TokenAuthenticator {
  return {
    name,
    async authenticate(token, audiences): Promise<AuthenticationResult> {
      const errors: string[] = [];
      for (const method of methods) {
        const outcome = await method.authenticate(token, audiences);
        if (isAuthenticated(outcome)) return outcome;
        if (outcome && mode === 'first-refusal') return outcome;
        if (outcome) errors.push(...outcome.refused);
      }
      return errors.length > 0 ? { refused: errors } : undefined;
    },
  };
}
