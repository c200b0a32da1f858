import { aggregateErrors } from '../meta/index.ts';
import type { Attributes, Identity } from './attributes.ts';

/** `no-opinion`: the next authorizer decides; the request is denied when none allows it (part 5.6 rule 1). */
export type Verdict = 'allow' | 'deny' | 'no-opinion';

export interface Decision {
  readonly verdict: Verdict;
  /** Shown in the 403 of a denied request, and in access reviews. */
  readonly reason: string;
  /** The deciding or nearest rule, for the trace; never part of a response. */
  readonly evidence: string;
  /** An error during evaluation; a request that is not allowed then returns 500. */
  readonly error?: string;
}

/** Rights of a user as rules (SelfSubjectRulesReview). */
export interface RuleList {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  /** The list may lack some rights. */
  readonly incomplete: boolean;
  readonly error: string;
}

export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

export interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

export interface Authorizer {
  readonly name: string;
  /** Synchronous where possible: most requests need no waiting. */
  authorize(attributes: Attributes): Decision | Promise<Decision>;
  /** The rights of a user in a namespace. */
  rulesFor(user: Identity, namespace: string): RuleList;
}

export const noRules: RuleList = { resourceRules: [], nonResourceRules: [], incomplete: false, error: '' };

export function noOpinion(reason: string, evidence: string): Decision {
  return { verdict: 'no-opinion', reason, evidence };
}

/** Counts decisions; no opinion is not counted. */
export function meteredAuthorizer(authorizer: Authorizer, count: (decision: 'allowed' | 'denied') => void): Authorizer {
  const recordDecision = (decision: Decision): Decision => {
    if (decision.verdict !== 'no-opinion') count(decision.verdict === 'allow' ? 'allowed' : 'denied');
    return decision;
  };
  return {
    name: authorizer.name,
    authorize(attributes) {
      const answer = authorizer.authorize(attributes);
      return answer instanceof Promise ? answer.then(recordDecision) : recordDecision(answer);
    },
    rulesFor: (user, namespace) => authorizer.rulesFor(user, namespace),
  };
}

/** Tries authorizers in order; the first that allows or denies decides. */
export function unionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  return {
    name: 'union',
    authorize: (attributes) => authorizeFrom(authorizers, 0, attributes, []),
    rulesFor(user, namespace) {
      const lists = authorizers.map((authorizer) => authorizer.rulesFor(user, namespace));
      return {
        resourceRules: lists.flatMap((list) => list.resourceRules),
        nonResourceRules: lists.flatMap((list) => list.nonResourceRules),
        incomplete: lists.some((list) => list.incomplete),
        error: aggregateErrors(lists.map((list) => list.error)),
      };
    },
  };
}

function authorizeFrom(
  authorizers: readonly Authorizer[],
  first: number,
  attributes: Attributes,
  undecided: readonly Decision[],
): Decision | Promise<Decision> {
  let before = undecided;
  for (let at = first; at < authorizers.length; at++) {
    const answer = authorizers[at]?.authorize(attributes);
    if (answer === undefined) continue;
    if (answer instanceof Promise) {
      return answer.then((decision) =>
        decision.verdict === 'no-opinion' ? authorizeFrom(authorizers, at + 1, attributes, [...before, decision]) : decision,
      );
    }
    if (answer.verdict !== 'no-opinion') return answer;
    before = [...before, answer];
  }
  return combineUndecided(before);
}

function combineUndecided(decisions: readonly Decision[]): Decision {
  const nonEmpty = (texts: readonly string[]): readonly string[] => texts.filter((text) => text !== '');
  const error = aggregateErrors(decisions.map((decision) => decision.error ?? ''));
  return {
    verdict: 'no-opinion',
    // Computed on demand: it scans many roles.
    get reason() {
      return nonEmpty(decisions.map(({ reason }) => reason)).join('\n');
    },
    get evidence() {
      return nonEmpty(decisions.map(({ evidence }) => evidence)).join('; ') || 'no authorizer allowed it';
    },
    ...(error === '' ? {} : { error }),
  };
}
