import { isJsonObject, type JsonObject } from '../../../src/meta/index.ts';
import type { CommitHistory, VersionedObject } from '../model/commit-history.ts';
import type { SimulatedKind } from '../model/kinds.ts';
import { sameView, versionOf, viewOf, writeIds } from '../model/object-view.ts';
import { specify } from '../model/specification.ts';
import type { WriteLog, WriteRecord } from '../model/write-log.ts';
import { check, rules } from './violation.ts';

/** After how many changes of its object a patch without a version is refused with 409 (upstream MaxRetryWhenPatchConflicts, 5 retries). */
const patchAttempts = 6;

/** Revisions between the request and the response. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

const describe = ({ write, from, to }: WriteRecord): string => {
  const { kind, ...others } = write;
  return `${kind.name} ${JSON.stringify(others)} between ${from} and ${to}`;
};

/** A rejection must follow from the specification for some state during the request. */
export function checkRefusal(history: CommitHistory, record: WriteRecord, code: number, body: unknown): void {
  const { write, from, to = from } = record;
  const states = history.statesBetween(write.kind, write.name, from, to);
  const isSpecified = states.some((state) => specify(write, state).code === code);
  const isPatch = write.verb.includes('patch') || write.verb === 'apply';
  const isContended = code === 409 && isPatch && states.length > patchAttempts;
  check(
    isSpecified || isContended,
    rules.explained,
    () => `${code} ${messageOf(body)} to ${describe(record)} with ${states.length} states`,
  );
}

/** The history contains an acknowledged write, with the state that the response shows. */
export function checkAcknowledgement(history: CommitHistory, log: WriteLog, record: WriteRecord, code: number, body: JsonObject): void {
  const { write, from, to = from } = record;
  const { kind, name, verb } = write;
  if (write.isDryRun || verb === 'delete') {
    const states = history.statesBetween(kind, name, from, to);
    check(
      states.some((state) => specify(write, state).code === code),
      rules.explained,
      () => `${code} to ${describe(record)}`,
    );
    if (write.isDryRun) return;
  }
  if (body['kind'] === 'Status') {
    const details = isJsonObject(body['details']) ? body['details'] : {};
    claimDeletion(history, log, record, String(details['uid']));
    return;
  }
  const [view, revision] = [viewOf(kind, body), versionOf(body)];
  if (verb === 'delete') {
    const state = history.at(kind, name, revision);
    const isShown = state?.revision === revision && sameView(state.view, view) && view.isTerminating && revision <= to;
    check(isShown, rules.answer, () => `${JSON.stringify(view)} at ${revision} to ${describe(record)}`);
    return;
  }
  const commit = history.commitAt(revision);
  if (commit?.after && commit.kind === kind && writeIds(commit.after.view).has(write.id)) {
    check(revision > from && revision <= to, rules.interval, () => `${revision} for ${describe(record)}`);
    const { after } = commit;
    check(sameView(after.view, view), rules.answer, () => `${JSON.stringify(view)} instead of ${JSON.stringify(after.view)}`);
    return;
  }
  check(view.isTerminating, rules.acknowledged, () => `revision ${revision} does not contain ${describe(record)}`);
  claimDeletion(history, log, record, view.uid);
}

/** Only one acknowledged deletion of each uid exists, and the history contains it. */
function claimDeletion(history: CommitHistory, log: WriteLog, record: WriteRecord, uid: string): void {
  const { write, from, to = from } = record;
  const isDeleted = history
    .commitsOf(write.kind, write.name)
    .some(({ before, after, revision }) => before?.view.uid === uid && !after && revision > from && revision <= to);
  check(isDeleted, rules.acknowledged, () => `${uid} is not deleted by ${describe(record)}`);
  const other = log.deletedBy.get(uid);
  check(
    other === undefined || other === record,
    rules.once,
    () => `${uid} is deleted by ${describe(record)} and ${other && describe(other)}`,
  );
  log.deletedBy.set(uid, record);
}

/** A deletion of a collection deletes every selected object, or marks it for deletion when it has finalizers. */
export function checkCollectionDeletion(
  history: CommitHistory,
  { kind, selects, from, to }: Interval & { readonly kind: SimulatedKind; selects(object: VersionedObject): boolean },
): void {
  for (const object of history.collectionAt(kind, from).filter(selects)) {
    const states = history.statesBetween(kind, object.view.name, from, to);
    const survives = states.every((state) => state?.view.uid === object.view.uid && selects(state) && !state.view.isTerminating);
    check(!survives, rules.deleteCollection, () => `${kind.name} ${object.view.name} still exists between ${from} and ${to}`);
  }
}

/** A read returns the state of an object at some revision of the interval. */
export function checkGet(
  history: CommitHistory,
  read: Interval & {
    readonly kind: SimulatedKind;
    readonly name: string;
    readonly isVersioned: boolean;
    readonly body: JsonObject | undefined;
  },
): void {
  const { kind, name, from, to, isVersioned, body } = read;
  const shown = body && { revision: versionOf(body), view: viewOf(kind, body) };
  const isState = history.statesBetween(kind, name, from, to).some((state) => isSame(state, shown));
  check(
    isState,
    isVersioned ? rules.notOlder : rules.linearizable,
    () => `${kind.name} ${name} is shown as ${JSON.stringify(shown)} between ${from} and ${to}`,
  );
}

function isSame(state: VersionedObject | undefined, shown: VersionedObject | undefined): boolean {
  if (!state || !shown) return state === shown;
  return state.revision === shown.revision && sameView(state.view, shown.view);
}

/** Items, of one page or of all, are the selected objects of one revision. */
export function checkItems(
  kind: SimulatedKind,
  items: readonly JsonObject[],
  expected: readonly VersionedObject[],
  revision: number,
): void {
  const shown = items.map((item) => ({ revision: versionOf(item), view: viewOf(kind, item) }));
  const isEqual = shown.length === expected.length && shown.every((item, index) => isSame(expected[index], item));
  check(isEqual, rules.snapshot, () => {
    const names = (objects: readonly VersionedObject[]): string => objects.map(({ view, revision: at }) => `${view.name}@${at}`).join();
    return `${kind.name} at ${revision}: ${names(shown)} instead of ${names(expected)}`;
  });
}

export function messageOf(body: unknown): string {
  return isJsonObject(body) ? String(body['message']) : String(body);
}
