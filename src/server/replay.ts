import type { Answer, Call } from './call.ts';

/**
 * The answer to a write that was done already: a host that was killed before it could answer gets the same request once more.
 * Undefined for what was not seen before.
 */
export async function replayed(call: Call): Promise<Answer | undefined> {
  const { request, requestId, server, kind, resource } = call;
  const commit = requestId === undefined ? undefined : await server.store.keySpace.committedBy(requestId);
  if (!commit) return undefined;
  if (commit.entry) {
    const stored = server.store.stored(commit.entry);
    const created = commit.entry.createRevision === commit.revision && request.method !== 'DELETE';
    return { form: 'object', status: created ? 201 : 200, object: kind.fromStorage(stored.object), stored };
  }
  // A deletion, or an update that took the last finalizer: what went is in `previous`.
  const gone = commit.previous && server.store.stored(commit.previous).object;
  if (!gone) return undefined;
  if (request.method !== 'DELETE' || kind.strategy.deleteReturnsObject)
    return { form: 'object', status: 200, object: kind.fromStorage(gone) };
  const { group, name } = resource;
  const details = { name: gone.metadata.name ?? '', ...(group === '' ? {} : { group }), kind: name, uid: gone.metadata.uid ?? '' };
  return { form: 'object', status: 200, object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details } };
}
