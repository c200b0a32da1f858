import { isFound, type Outcome, type TokenAuthenticator } from './authenticator.ts';

/**
 * Several methods as one: the first one that authenticates a user decides. `all`: after a failure the next method is tried;
 * `first-refusal`: the first failure is final.
 */
export function tokenUnion(name: string, methods: readonly TokenAuthenticator[], asks: 'all' | 'first-refusal'): TokenAuthenticator {
  return {
    name,
    async authenticate(token, audiences): Promise<Outcome> {
      const refused: string[] = [];
      for (const method of methods) {
        const outcome = await method.authenticate(token, audiences);
        if (isFound(outcome)) return outcome;
        if (outcome && asks === 'first-refusal') return outcome;
        if (outcome) refused.push(...outcome.refused);
      }
      return refused.length > 0 ? { refused } : undefined;
    },
  };
}
