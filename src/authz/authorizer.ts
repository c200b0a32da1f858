import type { Attributes } from './attributes.ts';

/** `no-opinion`: ask the next; when none has one, the answer is no (part 5.6 rule 1). */
export type Verdict = 'allow' | 'deny' | 'no-opinion';

export interface Decision {
  readonly verdict: Verdict;
  /** What a 403 tells of a refusal; for an allowed request what a review tells. */
  readonly reason: string;
  /** Which rule decided, for the trace; never in an answer. */
  readonly evidence: string;
}

export interface Authorizer {
  readonly name: string;
  authorize(attributes: Attributes): Promise<Decision>;
}

/** Asks in order; the first that allows or denies decides. */
export function unionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  return {
    name: 'union',
    async authorize(attributes) {
      const reasons: string[] = [];
      for (const authorizer of authorizers) {
        const decision = await authorizer.authorize(attributes);
        if (decision.verdict !== 'no-opinion') return decision;
        if (decision.reason !== '') reasons.push(decision.reason);
      }
      return { verdict: 'no-opinion', reason: reasons.join('\n'), evidence: 'no authorizer allowed it' };
    },
  };
}
