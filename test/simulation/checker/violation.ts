/** Every rule a run is checked against, by its name. `npm run simulate` prints the name of the rule that a seed breaks. */
export const rules = {
  acknowledged: 'an acknowledged write is in the history at its revision',
  refused: 'a rejected write changes nothing',
  once: 'a write happens at most once',
  requested: 'every change was requested by one client',
  order: 'revisions form one gapless order',
  interval: 'a write takes effect between its request and its response',
  transition: 'a change is what its request specifies, applied to the state before it',
  identity: 'uid and creation time never change, and are new for a new object',
  generation: 'the generation changes with the specification only',
  answer: 'the response to a write shows what was stored',
  explained: 'a rejection is explained by a state during the request',
  serverError: 'a server error is explained by a fault in force',
  repeated: 'a repeated write whose answer is lost names its own commit',
  dryRun: 'a dry run changes nothing',
  finalizers: 'an object with finalizers is not deleted',
  deleteCollection: 'a deletion of a collection deletes everything it selects',
  linearizable: 'a read without a version shows the newest state',
  notOlder: 'a read is not older than what its version allows',
  snapshot: 'a list is the state of one revision',
  exact: 'an exact read is of the requested revision',
  remaining: 'a page reports how many objects remain',
  expired: '410 is answered for compacted revisions and for no others',
  whole: 'no object is shown in part',
  watchOrder: 'watch events come in order and once',
  watchComplete: 'a watch delivers every change of its selection',
  bookmark: 'a bookmark is not of the future and not before earlier events',
  initialEvents: 'initial events are the state at their bookmark',
  durable: 'the store contains the history after a restart',
  available: 'every request is answered once faults have ended',
  restart: 'a store opens again after a crash',
  surge: 'a rollout never has more replicas than maxSurge allows',
  unavailable: 'a rollout never has fewer available pods than maxUnavailable allows',
  ordinal: 'at most one pod of an ordinal of a StatefulSet runs',
  ordered: 'pods of a StatefulSet start and stop in order',
  jobCount: 'each pod of a Job is counted once',
  jobIndex: 'each index of a Job is counted once',
  quota: 'the usage of a namespace never exceeds its quota',
  owned: 'dependents of deleted owners are collected, those of other owners are not',
  bound: 'the node of a pod never changes',
  budget: 'evictions leave as many healthy pods as a budget requires',
  converged: 'all objects reach their desired state once faults have ended',
} as const;

export type Rule = (typeof rules)[keyof typeof rules];

/** A rule that a run has broken. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly rule: Rule;

  constructor(rule: Rule, detail: string) {
    super(`${rule}: ${detail}`);
    this.rule = rule;
  }
}

/** @throws Violation */
export function check(condition: boolean, rule: Rule, detail: () => string): asserts condition {
  if (!condition) throw new Violation(rule, detail());
}
