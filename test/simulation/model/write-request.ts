import type { JsonObject } from '../../../src/meta/index.ts';
import type { SimulatedKind } from './kinds.ts';

export type WriteVerb =
  | 'create'
  | 'update'
  | 'merge-patch'
  | 'json-patch'
  | 'strategic-patch'
  | 'apply'
  | 'update-status'
  | 'patch-status'
  | 'delete';

export const holdFinalizer = 'example.com/hold';

/** One write to one object, as a client requests it. */
export interface WriteRequest {
  /** Carried by the object once it is written; no other write has it. */
  readonly id: string;
  readonly verb: WriteVerb;
  readonly kind: SimulatedKind;
  readonly name: string;
  /** The field manager. */
  readonly manager: string;
  /** The version the object must have. */
  readonly version: string | undefined;
  /** The uid the object must have. */
  readonly uid: string | undefined;
  readonly side: string;
  /** Undefined in a patch: not changed. */
  readonly x: string | undefined;
  /** Undefined in a patch: not changed; null: removed. */
  readonly y: string | null | undefined;
  /** In a create or update: whether the object is sent with one. In a patch: `remove` removes all. */
  readonly finalizers: 'hold' | 'none' | 'remove' | 'unchanged';
  readonly force: boolean;
  readonly isDryRun: boolean;
  /** Sent with a label that no object may have. */
  readonly isInvalid: boolean;
}

export interface HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object | undefined;
}

/** The header under which a repeated attempt is recognised. */
export const attemptIdHeader = 'x-tabplane-attempt-id';

const contentTypes = {
  json: 'application/json',
  'merge-patch': 'application/merge-patch+json',
  'json-patch': 'application/json-patch+json',
  'strategic-patch': 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

export function toHttp(write: WriteRequest): HttpRequest {
  const { verb, kind, name, isDryRun } = write;
  const item = `${kind.collection}/${name}`;
  const query = new URLSearchParams(isDryRun ? { dryRun: 'All' } : {});
  const send = (method: string, path: string, type: keyof typeof contentTypes, body: object): HttpRequest => {
    query.set('fieldManager', write.manager);
    return { method, target: `${path}?${query}`, headers: { 'content-type': contentTypes[type] }, body };
  };
  switch (verb) {
    case 'create':
      return send('POST', kind.collection, 'json', wholeObject(write));
    case 'update':
      return send('PUT', item, 'json', wholeObject(write));
    case 'update-status':
      return send('PUT', `${item}/status`, 'json', wholeObject(write));
    case 'patch-status':
      return send('PATCH', `${item}/status`, 'merge-patch', { ...kind.patch(fieldsOf(write)), ...kind.status?.write(write.id) });
    case 'merge-patch':
    case 'strategic-patch':
      return send('PATCH', item, verb, { metadata: patchedMetadata(write), ...(hasFields(write) ? kind.patch(fieldsOf(write)) : {}) });
    case 'json-patch':
      return send('PATCH', item, verb, jsonPatch(write));
    case 'apply':
      query.set('force', String(write.force));
      return send('PATCH', item, verb, intent(write));
    case 'delete': {
      const { version, uid } = write;
      const preconditions = { ...(version === undefined ? {} : { resourceVersion: version }), ...(uid === undefined ? {} : { uid }) };
      const hasBody = version !== undefined || uid !== undefined;
      const search = query.size > 0 ? `?${query}` : '';
      const headers = { 'content-type': contentTypes.json };
      // A body overrides the options of the query.
      return hasBody
        ? { method: 'DELETE', target: item, headers, body: { preconditions, ...(isDryRun ? { dryRun: ['All'] } : {}) } }
        : { method: 'DELETE', target: item + search, headers: {}, body: undefined };
    }
  }
}

/** The annotation that carries the id of a write. */
export function annotationOf({ verb, manager }: WriteRequest): string {
  return verb === 'apply' ? `apply-${manager}` : 'write';
}

function labelsOf({ side, isInvalid }: WriteRequest): JsonObject {
  return { side: isInvalid ? 'not valid!' : side };
}

function wholeObject(write: WriteRequest): object {
  const { kind, name, id, version, uid, finalizers } = write;
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: {
      name,
      labels: labelsOf(write),
      annotations: { write: id, copy: id },
      ...(finalizers === 'hold' ? { finalizers: [holdFinalizer] } : {}),
      ...(version === undefined ? {} : { resourceVersion: version }),
      ...(uid === undefined ? {} : { uid }),
    },
    ...kind.write({ x: write.x ?? '', y: write.y ?? undefined }),
    // Only a write to the status subresource may change it.
    ...kind.status?.write(id),
  };
}

function fieldsOf({ x, y }: WriteRequest): { readonly x?: string; readonly y?: string | null } {
  return { ...(x === undefined ? {} : { x }), ...(y === undefined ? {} : { y }) };
}

function hasFields({ x, y }: WriteRequest): boolean {
  return x !== undefined || y !== undefined;
}

function patchedMetadata(write: WriteRequest): JsonObject {
  const { id, version, uid, finalizers } = write;
  return {
    labels: labelsOf(write),
    annotations: { write: id, copy: id },
    ...(finalizers === 'remove' ? { finalizers: null } : {}),
    ...(version === undefined ? {} : { resourceVersion: version }),
    ...(uid === undefined ? {} : { uid }),
  };
}

function jsonPatch(write: WriteRequest): object {
  const { id, uid, kind, x, isInvalid } = write;
  return [
    ...(uid === undefined ? [] : [{ op: 'test', path: '/metadata/uid', value: uid }]),
    { op: 'add', path: '/metadata/annotations/write', value: id },
    { op: 'add', path: '/metadata/annotations/copy', value: id },
    ...(isInvalid ? [{ op: 'add', path: '/metadata/labels', value: labelsOf(write) }] : []),
    ...(x === undefined ? [] : [{ op: 'replace', ...kind.xPatch(x) }]),
  ];
}

function intent(write: WriteRequest): object {
  const { kind, name, id } = write;
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: { name, annotations: { [annotationOf(write)]: id } },
    ...kind.write({ x: write.x ?? '', y: write.y ?? undefined }),
  };
}
