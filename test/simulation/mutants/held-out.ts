import type { Mutant } from './mutant.ts';

/** Added after the rules were written; no rule was changed for them. */
export const heldOutMutants: readonly Mutant[] = [
  {
    name: 'held out: an update removes the deletionTimestamp',
    file: 'src/registry/update.ts',
    search: `    ...(metadata.deletionTimestamp === undefined ? {} : { deletionTimestamp: metadata.deletionTimestamp }),`,
    replacement: ``,
    why: 'a deletion cannot be undone',
  },
  {
    name: 'held out: a page counts one object too many as remaining',
    file: 'src/registry/list.ts',
    search: `remaining: selects ? undefined : rest };`,
    replacement: `remaining: selects ? undefined : rest + 1 };`,
    why: 'remainingItemCount',
  },
  {
    name: 'held out: etcd servers answer one revision behind',
    file: 'src/storage/etcd/revision-waiter.ts',
    search: `    if (revision <= this.#revision) return Promise.resolve();`,
    replacement: `    if (revision <= this.#revision + 1) return Promise.resolve();`,
    why: 'reads are linearizable',
  },
  {
    name: 'held out: several changes of a key in one batch have the same previous value',
    file: 'src/storage/etcd/etcd-key-space.ts',
    search: `      const previous = latest.has(key) ? latest.get(key) : this.history.current(key);`,
    replacement: `      const previous = this.history.current(key);`,
    why: 'watchers see what each change replaces',
  },
  {
    name: 'held out: setting the deletionTimestamp does not increase the generation',
    file: 'src/registry/delete.ts',
    search: `  return metadata.generation !== undefined && metadata.generation > 0 ? { generation: metadata.generation + 1 } : {};`,
    replacement: `  return metadata.generation !== undefined && metadata.generation < 0 ? { generation: metadata.generation + 1 } : {};`,
    why: 'generation rules',
  },
  {
    name: 'held out: a dry run of a deletion deletes',
    file: 'src/registry/delete.ts',
    search: `  if (context.dryRun) return { removed: true, answer: deleteResponse(ref, last, strategy) };`,
    replacement: ``,
    why: 'a dry run changes nothing',
  },
  {
    name: 'held out: an update with another uid replaces the object',
    file: 'src/registry/update.ts',
    search: `  checkUpdatePreconditions(ref, { uid: input.uid }, old, context.dryRun);`,
    replacement: ``,
    why: 'a PUT with a uid updates only that object',
  },
  {
    name: 'held out: a merge patch drops fields it does not contain',
    file: 'src/patch/merge-patch.ts',
    search: `    const merged = draftOf(current);`,
    replacement: `    const merged = name === 'annotations' ? {} : draftOf(current);`,
    why: 'a patch changes only the fields it contains',
  },
  {
    name: 'held out: an update of a field does not change its owner',
    file: 'src/patch/apply/managers/updater.ts',
    search: `    const own = yield* owner.fields.differenceInSteps(taken);`,
    replacement: `    const own = owner.fields;`,
    why: 'a changed field is owned by the manager that changed it',
  },
  {
    name: 'held out: a restored snapshot has only the first change of each record',
    file: 'src/storage/log/restore.ts',
    search: `  for (const record of records) applyRecord(history, record);`,
    replacement: `  for (const record of records) applyRecord(history, { ...record, writes: record.writes.slice(0, 1) });`,
    why: 'a snapshot contains every record it replaces',
  },
];
