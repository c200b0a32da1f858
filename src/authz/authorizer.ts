import { aggregate } from '../meta/index.ts';
import type { Attributes, Identity } from './attributes.ts';

/** `no-opinion`: ask the next; when none has one, the answer is no (part 5.6 rule 1). */
export type Verdict = 'allow' | 'deny' | 'no-opinion';

export interface Decision {
  readonly verdict: Verdict;
  /** What a 403 tells of a refusal; for an allowed request what a review tells. */
  readonly reason: string;
  /** Which rule decided, or which came nearest, for the trace; never in an answer. */
  readonly evidence: string;
  /** What went wrong on the way to the verdict: a request that is not allowed is then 500. */
  readonly error?: string;
}

/** Rights that are kept as rules can be listed (SelfSubjectRulesReview). */
export interface RuleList {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  /** There may be rights besides those. */
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
  /** At once where it can: most requests need no waiting. */
  authorize(attributes: Attributes): Decision | Promise<Decision>;
  /** What somebody may do in a namespace. */
  rulesFor(user: Identity, namespace: string): RuleList;
}

export const noRules: RuleList = { resourceRules: [], nonResourceRules: [], incomplete: false, error: '' };

export function noOpinion(reason: string, evidence: string): Decision {
  return { verdict: 'no-opinion', reason, evidence };
}

/** Tells what an authorizer decides; having no opinion is no decision. */
export function countedAuthorizer(authorizer: Authorizer, count: (decision: 'allowed' | 'denied') => void): Authorizer {
  const counted = (decision: Decision): Decision => {
    if (decision.verdict !== 'no-opinion') count(decision.verdict === 'allow' ? 'allowed' : 'denied');
    return decision;
  };
  return {
    name: authorizer.name,
    authorize(attributes) {
      const answer = authorizer.authorize(attributes);
      return answer instanceof Promise ? answer.then(counted) : counted(answer);
    },
    rulesFor: (user, namespace) => authorizer.rulesFor(user, namespace),
  };
}

/** Asks in order; the first that allows or denies decides. */
export function unionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  return {
    name: 'union',
    authorize: (attributes) => askFrom(authorizers, 0, attributes, []),
    rulesFor(user, namespace) {
      const lists = authorizers.map((authorizer) => authorizer.rulesFor(user, namespace));
      return {
        resourceRules: lists.flatMap((list) => list.resourceRules),
        nonResourceRules: lists.flatMap((list) => list.nonResourceRules),
        incomplete: lists.some((list) => list.incomplete),
        error: aggregate(lists.map((list) => list.error)),
      };
    },
  };
}

function askFrom(
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
        decision.verdict === 'no-opinion' ? askFrom(authorizers, at + 1, attributes, [...before, decision]) : decision,
      );
    }
    if (answer.verdict !== 'no-opinion') return answer;
    before = [...before, answer];
  }
  return nobodyAllowed(before);
}

function nobodyAllowed(decisions: readonly Decision[]): Decision {
  const told = (texts: readonly string[]): readonly string[] => texts.filter((text) => text !== '');
  const error = aggregate(decisions.map((decision) => decision.error ?? ''));
  return {
    verdict: 'no-opinion',
    // Looks at many roles, for a few readers.
    get reason() {
      return told(decisions.map(({ reason }) => reason)).join('\n');
    },
    get evidence() {
      return told(decisions.map(({ evidence }) => evidence)).join('; ') || 'no authorizer allowed it';
    },
    ...(error === '' ? {} : { error }),
  };
}
