import type { Mutant } from './mutant.ts';

export const serverMutants: readonly Mutant[] = [
  {
    name: 'server: answers 500 after a commit',
    file: 'src/server/verbs/create.ts',
    search: `  const written = await createFrom(context, defaulted, options);`,
    replacement: `  const written = await createFrom(context, defaulted, options);
  if (written.stored && written.stored.entry.revision % 7 === 0) throw new Error('after the commit');`,
    why: 'a committed write is acknowledged',
  },
  {
    name: 'server: answers every merge patch 409',
    file: 'src/server/verbs/patch/patch.ts',
    search: `  if (isApply(context)) return apply(context, options);`,
    replacement: `  if (isApply(context)) return apply(context, options);
  if (mediaTypeOf(context.request) === mergePatchType) throw new StatusError(409, 'Conflict', 'conflict');`,
    why: '409 needs a conflict',
  },
  {
    name: 'server: a compacted watch continues instead of 410',
    file: 'src/server/verbs/watch/watch.ts',
    search: `      const stop = await server.store.keySpace.watch({
        prefix: this.#prefix,
        after,`,
    replacement: `      const stop = await server.store.keySpace.watch({
        prefix: this.#prefix,
        after: Math.max(after, await server.store.keySpace.compactedRevision()),`,
    why: 'a watch delivers every change or fails',
  },
  {
    name: 'server: ignores the resourceVersion of an update',
    file: 'src/registry/update.ts',
    search: `  if (!unconditional && version !== BigInt(current.entry.revision)) throw staleWrite(ref);`,
    replacement: ``,
    why: 'optimistic concurrency',
  },
  {
    name: 'server: a dry run writes',
    file: 'src/registry/create.ts',
    search: `  if (!context.dryRun) {
    const stored`,
    replacement: `  if (!context.dryRun || ref.name !== '') {
    const stored`,
    why: 'a dry run changes nothing',
  },
  {
    name: 'server: deletes in spite of finalizers',
    file: 'src/registry/delete.ts',
    search: `  const held = ((next ?? object).metadata.finalizers ?? []).length > 0;`,
    replacement: `  const held = ((next ?? object).metadata.finalizers ?? []).length > 1;`,
    why: 'an object with finalizers is not deleted',
  },
  {
    name: 'server: a deletion of a collection skips one object',
    file: 'src/server/verbs/delete.ts',
    search: `for (const stored of listed.items) {`,
    replacement: `for (const stored of listed.items.slice(0, Math.max(1, listed.items.length - 1))) {`,
    why: 'a deletion of a collection deletes all of it',
  },
  {
    name: 'server: a list at 0 is older than an earlier response',
    file: 'src/registry/list.ts',
    search: `    const at = exact !== undefined && exact > 0 ? exact : isCached ? await store.keySpace.observedRevision() : undefined;`,
    replacement: `    const seen = Math.max(await store.keySpace.compactedRevision(), (await store.keySpace.observedRevision()) - 1);
    const at = exact !== undefined && exact > 0 ? exact : isCached ? seen : undefined;`,
    why: 'a server does not go back in time',
  },
  {
    name: 'server: an exact list is of the newest revision',
    file: 'src/registry/list.ts',
    search: `match === 'Exact' || (match`,
    replacement: `(match`,
    why: 'Exact is of the requested revision',
  },
  {
    name: 'server: a status update increases the generation',
    file: 'src/registry/update.ts',
    search: `  const draft = withMetadata(requested, { generation: metadata.generation });`,
    replacement: `  const raised = context.subresource === 'status' && metadata.generation !== undefined ? metadata.generation + 1 : metadata.generation;
  const draft = withMetadata(requested, { generation: raised });`,
    why: 'the generation counts changes of the specification',
  },
  {
    name: 'server: a bookmark is of the newest revision of the store plus one',
    file: 'src/server/verbs/watch/watch.ts',
    search: `      if (this.#revision > begun) this.stream.write(this.#encode.bookmark(this.#revision, false));`,
    replacement: `      if (this.#revision > begun) this.stream.write(this.#encode.bookmark(this.#revision + 1, false));`,
    why: 'a watch resumed from a bookmark loses no event',
  },
  {
    name: 'server: initial events do not end with a bookmark',
    file: 'src/server/verbs/watch/watch.ts',
    search: `      if (endsMarked) this.stream.write(this.#encode.bookmark(revision, true));`,
    replacement: ``,
    why: 'a client is notified when the initial events are complete',
  },
  {
    name: 'server: pages of a list are of different revisions',
    file: 'src/registry/list.ts',
    search: `const next = encodeContinue({ revision, start`,
    replacement: `const next = encodeContinue({ revision: -1, start`,
    why: 'a chunked list is of one revision',
  },
  {
    name: 'server: no event for an object that leaves a selection',
    file: 'src/watch/select-change.ts',
    search: `  if (previous && before) return`,
    replacement: `  if (previous && before && !entry) return`,
    why: 'leaving a selection is DELETED',
  },
  {
    name: 'server: an apply takes over fields without force',
    file: 'src/server/verbs/patch/apply.ts',
    search: `  const by = { manager: managerOf(context, options), now: nowOf(context), force: options.force };`,
    replacement: `  const by = { manager: managerOf(context, options), now: nowOf(context), force: true };`,
    why: 'apply conflicts are found',
  },
  {
    name: 'server: ignores the uid of a deletion',
    file: 'src/registry/preconditions.ts',
    search: `  if (uid !== undefined && uid !== metadata.uid) {
    const why`,
    replacement: `  if (uid !== undefined && metadata.uid === undefined) {
    const why`,
    why: 'preconditions are checked',
  },
  {
    name: 'server: executes a retried request again',
    file: 'src/server/replay-answer.ts',
    search: `  if (!commit) return undefined;`,
    replacement: `  if (!commit || context.request.method === 'PATCH') return undefined;`,
    why: 'a retried attempt is executed once',
  },
];
