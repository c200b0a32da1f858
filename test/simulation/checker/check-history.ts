import type { KeySpace } from '../../../src/storage/index.ts';
import type { Commit, CommitHistory } from '../model/commit-history.ts';
import { type ObjectView, writeIds } from '../model/object-view.ts';
import { deletion, type Outcome, specify, type ViewAfter } from '../model/specification.ts';
import type { WriteLog, WriteRecord } from '../model/write-log.ts';
import { check, rules } from './violation.ts';

/** Every change is one requested write, applied to the state before it, and every write happens at most once. */
export function checkHistory(history: CommitHistory, log: WriteLog): void {
  const missing = history.missingRevision();
  check(missing === undefined, rules.order, () => `revision ${missing} was never observed`);
  const records = new Map(log.records.map((record) => [record.write.id, record]));
  const done = new Map<string, number>();
  const uids = new Map<string, string>();
  for (const commit of history.commits()) {
    checkOrder(history, commit);
    checkIdentity(commit, uids);
    const ids = newIds(commit);
    check(ids.length <= 1, rules.requested, () => `${describe(commit)} carries ${ids.join(' and ')}`);
    const [id] = ids;
    if (id === undefined) {
      checkDeletion(commit, log);
      continue;
    }
    const record = records.get(id);
    check(record !== undefined, rules.requested, () => `${describe(commit)} carries ${id}, which no client requested`);
    const before = done.get(id);
    check(before === undefined, rules.once, () => `${id} happened at ${before} and ${commit.revision}`);
    done.set(id, commit.revision);
    checkWrite(commit, record);
  }
}

function checkOrder(history: CommitHistory, commit: Commit): void {
  const { kind, name, revision, before } = commit;
  const known = history.at(kind, name, revision - 1);
  check(
    known?.revision === before?.revision,
    rules.order,
    () => `${describe(commit)} replaces ${before?.revision}, known is ${known?.revision}`,
  );
}

function checkIdentity(commit: Commit, uids: Map<string, string>): void {
  const { before, after, name, kind } = commit;
  if (!after) {
    const hasFinalizers = (before?.view.finalizers.length ?? 0) > 0 && !before?.view.isTerminating;
    check(!hasFinalizers, rules.finalizers, () => describe(commit));
    return;
  }
  const { uid, created, isTerminating } = after.view;
  if (before) {
    const { view } = before;
    check(uid === view.uid && created === view.created, rules.identity, () => describe(commit));
    check(isTerminating || !view.isTerminating, rules.finalizers, () => `${describe(commit)} is no longer marked for deletion`);
    return;
  }
  check(!uids.has(uid), rules.identity, () => `${describe(commit)} has the uid of ${uids.get(uid)}`);
  uids.set(uid, `${kind.name} ${name}`);
}

function newIds({ before, after }: Commit): readonly string[] {
  if (!after) return [];
  const known = before ? writeIds(before.view) : new Set<string>();
  return [...writeIds(after.view)].filter((id) => !known.has(id));
}

function checkWrite(commit: Commit, record: WriteRecord): void {
  const { write, outcome, from, to } = record;
  const { revision, after, before } = commit;
  const detail = (): string => `${write.id} (${write.verb}) at ${revision}, between ${from} and ${to}: ${describe(commit)}`;
  check(commit.kind === write.kind && commit.name === write.name, rules.requested, detail);
  check(outcome !== 'refused', rules.refused, detail);
  check(!write.isDryRun, rules.dryRun, detail);
  check(revision > from && revision <= (to ?? Number.POSITIVE_INFINITY), rules.interval, detail);
  const specified = specify(write, before);
  check(specified.effect === 'write', rules.transition, () => `${detail()} should be ${JSON.stringify(specified)}`);
  if (after) checkSpecified(commit, after.view, specified.after);
}

function checkSpecified(commit: Commit, actual: ObjectView, specified: ViewAfter): void {
  check(
    actual.generation === specified.generation,
    rules.generation,
    () => `${describe(commit)} has generation ${actual.generation} instead of ${specified.generation}`,
  );
  const { uid: _, created: __, ...rest } = actual;
  check(isEqual(rest, specified), rules.transition, () => `${describe(commit)} should be ${JSON.stringify(specified)}`);
}

function isEqual(a: ViewAfter, b: ViewAfter): boolean {
  return (Object.keys(a) as (keyof ViewAfter)[]).every((name) => JSON.stringify(a[name]) === JSON.stringify(b[name]));
}

/** Deletions, and marks for deletion, carry no id: one of the writes that could have made them must exist. */
function checkDeletion(commit: Commit, log: WriteLog): void {
  const { before, after, revision, kind, name } = commit;
  const isWithin = ({ from, to }: { readonly from: number; readonly to: number | undefined }): boolean =>
    revision > from && revision <= (to ?? Number.POSITIVE_INFINITY);
  const leadsHere = (outcome: Outcome): boolean => {
    if (!after) return outcome.effect === 'delete';
    const { uid: _, created: __, ...rest } = after.view;
    return outcome.effect === 'write' && isEqual(rest, outcome.after);
  };
  const isByWrite = (record: WriteRecord): boolean =>
    record.outcome !== 'refused' &&
    !record.write.isDryRun &&
    record.write.kind === kind &&
    record.write.name === name &&
    isWithin(record) &&
    leadsHere(specify(record.write, before));
  const isByCollection = log.collectionDeletions.some(
    (collection) => !collection.isDryRun && collection.kind === kind && isWithin(collection) && before && leadsHere(deletion(before.view)),
  );
  check(isByCollection || log.records.some(isByWrite), rules.requested, () => `no client requested ${describe(commit)}`);
}

function describe({ kind, name, revision, before, after }: Commit): string {
  return `${kind.name} ${name} at ${revision}: ${JSON.stringify(before?.view)} became ${JSON.stringify(after?.view)}`;
}

/** A store that is opened again contains every change of the history. */
export async function checkStore(history: CommitHistory, space: KeySpace): Promise<void> {
  const revision = await space.revision();
  // Not the newest revision: an etcd lease that expires meanwhile uses up a revision, but changes no object.
  const last = Math.max(0, ...[...history.changes()].map((change) => change.revision));
  check(revision >= last, rules.durable, () => `the history ends at ${last}, the store at ${revision}`);
  const compacted = await space.compactedRevision();
  const newest = new Map<string, number | undefined>();
  for (const { key, entry, revision: at } of [...history.changes()].sort((a, b) => a.revision - b.revision)) {
    newest.set(key, entry?.revision);
    if (at < compacted) continue;
    const stored = await space.get(key, at);
    check(stored?.value === entry?.value && stored?.revision === entry?.revision, rules.durable, () => `${key} at ${at}`);
  }
  for (const [key, at] of newest) {
    const stored = await space.get(key);
    check(stored?.revision === at, rules.durable, () => `${key} is at ${stored?.revision} instead of ${at}`);
  }
}
