import { StatusError, withMetadata } from '../meta/index.ts';
import type { Commit, CompactedCommit, Entry } from '../storage/index.ts';
import type { Answer, RequestContext } from './request-context.ts';
import { deletionStatus } from './verbs/delete.ts';
import { successAnswer } from './verbs/operation.ts';
import { scaleAnswer } from './verbs/scale/scale.ts';

/**
 * Returns the response to an attempt that was already committed: its client, or the browser, repeated the request because the host
 * was stopped before it could respond. Undefined for a new attempt.
 *
 * An attempt is never executed twice: a patch would be applied twice, a deleted object would be created again. Its response is repeated
 * only while the result is still stored unchanged. After that the store no longer shows the outcome, and a 409 or 404 would mean that
 * nothing was done; so the client gets the error of an unknown outcome, as after any lost response. A deletion whose commit is
 * compacted gets it too: the deleted object is unknown.
 * @throws StatusError 504 when the result was changed since
 */
export async function replayAnswer(context: RequestContext): Promise<Answer | undefined> {
  const commit = await findCommit(context);
  if (!commit) return undefined;
  const current = await context.server.store.keySpace.get(commit.key);
  if (current?.revision === commit.revision) return answerOfEntry(context, commit, current);
  if (current || 'isCompacted' in commit || commit.entry) throw changedSince(commit);
  return answerOfDeletion(context, commit);
}

async function findCommit({ attempt, server }: RequestContext): Promise<Commit | CompactedCommit | undefined> {
  for (const key of attempt?.keys ?? []) {
    const commit = await server.store.keySpace.findCommit(key);
    if (commit) return commit;
  }
  return undefined;
}

/** Also for a compacted commit whose object no longer exists. */
function changedSince({ revision }: Commit | CompactedCommit): StatusError {
  const message = `Timeout: the request was carried out at resource version ${revision} before its answer was lost, and the object has changed since then`;
  return new StatusError(504, 'Timeout', message, {});
}

function answerOfEntry(context: RequestContext, commit: Commit | CompactedCommit, entry: Entry): Answer {
  const stored = context.server.store.storedObjectOf(entry);
  switch (context.subresource?.name) {
    case 'binding':
    case 'eviction':
      return successAnswer();
    case 'scale':
      return scaleAnswer(context, stored.object);
  }
  if (context.request.method === 'DELETE')
    return { form: 'object', status: deletionStatus(context, { removed: false }), object: context.kind.fromStorage(stored.object) };
  const status = entry.createRevision === commit.revision ? 201 : 200;
  return { form: 'object', status, object: context.kind.fromStorage(stored.object), stored };
}

/** The response of a deletion, or of an update that removed the last finalizer: `previous` has the deleted object. */
function answerOfDeletion(context: RequestContext, { previous, revision }: Commit): Answer | undefined {
  if (!previous) return undefined;
  if (context.subresource?.name === 'eviction') return successAnswer();
  const { kind, request, resource, server } = context;
  const last = server.store.storedObjectOf(previous).object;
  if (request.method !== 'DELETE') return { form: 'object', status: 200, object: kind.fromStorage(last) };
  const status = deletionStatus(context, { removed: true });
  if (kind.strategy.deleteReturnsObject) {
    const object = withMetadata(last, { resourceVersion: String(revision) });
    return { form: 'object', status, object: kind.fromStorage(object) };
  }
  const { group, name } = resource;
  const details = { name: last.metadata.name ?? '', ...(group === '' ? {} : { group }), kind: name, uid: last.metadata.uid ?? '' };
  return { form: 'object', status, object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details } };
}
