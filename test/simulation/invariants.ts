import type { KeySpace } from '../../src/storage/index.ts';
import { type Attempt, contentAt, type Ledger, nameOf } from './ledger.ts';
import { require } from './world.ts';

/** What holds of all writes once the run is over; each rule by its name. */
export function verifyWrites(ledger: Ledger): void {
  const writes = new Map<string, number[]>();
  for (const change of ledger.changes()) {
    const value = contentAt(change)?.value;
    if (value !== undefined) writes.set(value, [...(writes.get(value) ?? []), change.revision]);
  }
  const known = new Map(ledger.attempts.map((attempt) => [attempt.id, attempt]));
  for (const [value] of writes) require(known.has(value), 'only what was asked for is written', () => `${value} was never asked for`);
  for (const attempt of ledger.attempts) if (attempt.verb !== 'delete') verifyWrite(ledger, attempt, writes.get(attempt.id) ?? []);
  verifyDeletions(ledger);
}

function verifyWrite(ledger: Ledger, attempt: Attempt, revisions: readonly number[]): void {
  const { id, outcome, revision } = attempt;
  require(revisions.length <= 1, 'a write happens once', () => `${id} happened at ${revisions.join(' and ')}`);
  const [at] = revisions;
  if (outcome === 'refused') require(at === undefined, 'what was refused leaves nothing', () => `${id} is there at ${at}`);
  if (outcome === 'done')
    require(at !== undefined && at === revision, 'what was acknowledged is there', () => `${id} was told ${revision}, it is at ${at}`);
  if (at === undefined) return;
  require(at > attempt.floor, 'one order of revisions', () => `${id} is at ${at} though ${attempt.floor} was known when it began`);
  verifyBase(ledger, attempt, at);
}

/** Conflicts are found as if there were one writer at a time. */
function verifyBase(ledger: Ledger, { id, verb, name, base }: Attempt, at: number): void {
  const change = ledger.line.get(at);
  require(change !== undefined && nameOf(change) === name, 'what was acknowledged is there', () => `${id} is not at ${at}`);
  const before = change.previous?.revision;
  if (verb === 'create') require(before === undefined, 'conflicts are found', () => `${id} created over ${before}`);
  if (verb === 'overwrite') require(before !== undefined, 'conflicts are found', () => `${id} replaced nothing`);
  if (base !== undefined) require(before === base, 'conflicts are found', () => `${id} named ${base} and replaced ${before}`);
}

/** Deletions have no content to know them by: each must be somebody's, and as many as were acknowledged must be there. */
function verifyDeletions(ledger: Ledger): void {
  const deletions = ledger.changes().filter(({ entry }) => entry === undefined);
  const attempts = ledger.attempts.filter(({ verb }) => verb === 'delete');
  const fits = (attempt: Attempt, change: (typeof deletions)[number]): boolean =>
    attempt.outcome !== 'refused' &&
    attempt.name === nameOf(change) &&
    change.revision > attempt.floor &&
    (attempt.base === undefined || attempt.base === change.previous?.revision);
  for (const change of deletions)
    require(attempts.some((attempt) => fits(attempt, change)), 'only what was asked for is written', () =>
      `nobody deleted at ${change.revision}`);
  for (const attempt of attempts.filter(({ outcome }) => outcome === 'done'))
    require(deletions.some((change) => fits(attempt, change)), 'what was acknowledged is there', () => `${attempt.id} deleted nothing`);
  for (const { name } of attempts) {
    const done = attempts.filter((attempt) => attempt.name === name && attempt.outcome === 'done').length;
    const there = deletions.filter((change) => nameOf(change) === name).length;
    require(done <= there, 'what was acknowledged is there', () => `${done} deletions of ${name} were acknowledged, ${there} happened`);
  }
}

/** What the store holds in the end is what the line of changes leads to. */
export async function verifyStore(ledger: Ledger, space: KeySpace): Promise<void> {
  const revision = await space.revision();
  require(revision >= ledger.revision, 'what was acknowledged is there', () =>
    `${ledger.revision} was seen, the store ends at ${revision}`);
  for (let at = 2; at <= revision; at++) require(ledger.line.has(at), 'one order of revisions', () => `nobody saw revision ${at}`);
  for (const change of ledger.line.values()) {
    if (change.revision <= (await space.compactedRevision())) continue;
    const entry = await space.get(change.key, change.revision);
    require(entry?.value === change.entry?.value, 'reads at a kept revision are of that revision', () =>
      `${change.key} at ${change.revision}`);
  }
  for (const [key, change] of ledger.stateAt(revision)) {
    const entry = await space.get(key);
    require(entry?.revision === change.revision, 'what was acknowledged is there', () =>
      `${key} is at ${entry?.revision}, not ${change.revision}`);
  }
}
