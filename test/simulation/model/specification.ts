import type { VersionedObject } from './commit-history.ts';
import { type FieldOwners, type ObjectView, sorted } from './object-view.ts';
import { annotationOf, holdFinalizer, type WriteRequest } from './write-request.ts';

/** The state of an object after a write, without uid and creation time, which the server chooses. */
export type ViewAfter = Omit<ObjectView, 'uid' | 'created'>;

/** The required outcome of a write to an object in a given state. */
export type Outcome =
  | { readonly code: 200 | 201; readonly effect: 'write'; readonly after: ViewAfter }
  | { readonly code: 200; readonly effect: 'delete' }
  /** The object is marked for deletion already. */
  | { readonly code: 200; readonly effect: 'none' }
  | { readonly code: 404 | 409 | 422; readonly effect: 'refused' };

const refuse = (code: 404 | 409 | 422): Outcome => ({ code, effect: 'refused' });

/** The sequential specification of all writes: one object, one write, one outcome. */
export function specify(write: WriteRequest, current: VersionedObject | undefined): Outcome {
  switch (write.verb) {
    case 'create':
      return create(write, current);
    case 'update':
      return update(write, current, 'object');
    case 'update-status':
      return update(write, current, 'status');
    case 'merge-patch':
    case 'strategic-patch':
    case 'json-patch':
    case 'patch-status':
      return patch(write, current);
    case 'apply':
      return apply(write, current);
    case 'delete':
      return remove(write, current);
  }
}

function create(write: WriteRequest, current: VersionedObject | undefined): Outcome {
  if (write.isInvalid) return refuse(422);
  if (current) return refuse(409);
  return { code: 201, effect: 'write', after: newObject(write, `${write.manager}/Update`) };
}

function newObject(write: WriteRequest, owner: string): ViewAfter {
  const { kind, name, id, verb } = write;
  const isApply = verb === 'apply';
  const y = write.y ?? undefined;
  return {
    name,
    generation: kind.hasGeneration ? 1 : undefined,
    side: isApply ? undefined : write.side,
    annotations: isApply ? { [annotationOf(write)]: id } : { copy: id, write: id },
    finalizers: write.finalizers === 'hold' ? [holdFinalizer] : [],
    isTerminating: false,
    x: write.x ?? '',
    y,
    status: '',
    owners: { x: [owner], y: y === undefined ? [] : [owner] },
  };
}

function update(write: WriteRequest, current: VersionedObject | undefined, target: 'object' | 'status'): Outcome {
  // Upstream compares the uid of a missing object only for kinds that updates create.
  if (!current) return refuse(404);
  const refused = checkPreconditions(write, current);
  if (refused) return refused;
  const preservesMetadata = target === 'status' && write.kind.status?.metadata === 'preserved';
  if (write.isInvalid && !preservesMetadata) return refuse(422);
  const finalizers = preservesMetadata ? current.view.finalizers : write.finalizers === 'hold' ? [holdFinalizer] : [];
  const addsFinalizer = finalizers.some((finalizer) => !current.view.finalizers.includes(finalizer));
  if (current.view.isTerminating && addsFinalizer) return refuse(422);
  const metadata = preservesMetadata ? {} : { side: write.side, annotations: { copy: write.id, write: write.id }, finalizers };
  return target === 'status'
    ? changed(current, { ...metadata, status: write.id })
    : changed(current, { ...metadata, ...withFields(write, current.view, { x: write.x ?? '', y: write.y ?? undefined }) });
}

/** The uid and the version of an update; undefined if they are met. */
function checkPreconditions({ kind, uid, version }: WriteRequest, { view, revision }: VersionedObject): Outcome | undefined {
  if (uid !== undefined && uid !== view.uid) return refuse(409);
  if (version === undefined) return kind.allowsUnconditionalUpdate ? undefined : refuse(422);
  return version === String(revision) ? undefined : refuse(409);
}

function patch(write: WriteRequest, current: VersionedObject | undefined): Outcome {
  const { verb, version, uid } = write;
  if (!current) return refuse(404);
  if (version !== undefined && version !== String(current.revision)) return refuse(409);
  // A uid cannot change; in a JSON patch it is tested.
  if (uid !== undefined && uid !== current.view.uid) return refuse(422);
  if (verb === 'patch-status') return changed(current, { status: write.id });
  if (write.isInvalid) return refuse(422);
  const { view } = current;
  const fields = { x: write.x ?? view.x, y: write.y === undefined ? view.y : (write.y ?? undefined) };
  return changed(current, {
    side: verb === 'json-patch' ? view.side : write.side,
    annotations: sorted({ ...view.annotations, copy: write.id, write: write.id }),
    ...(write.finalizers === 'remove' ? { finalizers: [] } : {}),
    ...withFields(write, view, fields),
  });
}

function apply(write: WriteRequest, current: VersionedObject | undefined): Outcome {
  const owner = `${write.manager}/Apply`;
  if (!current) return write.isInvalid ? refuse(422) : { code: 201, effect: 'write', after: newObject(write, owner) };
  const { view } = current;
  const wanted = { x: write.x ?? view.x, y: write.y ?? view.y };
  const isContested = (field: 'x' | 'y'): boolean => wanted[field] !== view[field] && view.owners[field].some((other) => other !== owner);
  if (!write.force && (isContested('x') || isContested('y'))) return refuse(409);
  if (write.isInvalid) return refuse(422);
  const owners = (field: 'x' | 'y', isApplied: boolean): readonly string[] => {
    if (!isApplied) return view.owners[field];
    return wanted[field] === view[field] ? [...new Set([...view.owners[field], owner])].sort() : [owner];
  };
  return changed(current, {
    annotations: sorted({ ...view.annotations, [annotationOf(write)]: write.id }),
    ...wanted,
    owners: { x: owners('x', true), y: owners('y', typeof write.y === 'string') },
  });
}

function remove(write: WriteRequest, current: VersionedObject | undefined): Outcome {
  const { uid, version } = write;
  if (!current) return refuse(404);
  const { view, revision } = current;
  if (uid !== undefined && uid !== view.uid) return refuse(409);
  if (version !== undefined && version !== String(revision)) return refuse(409);
  return deletion(view);
}

/** The outcome of a deletion without preconditions. */
export function deletion(view: ObjectView): Outcome {
  if (view.finalizers.length === 0) return { code: 200, effect: 'delete' };
  if (view.isTerminating) return { code: 200, effect: 'none' };
  const generation = view.generation === undefined ? undefined : view.generation + 1;
  return { code: 200, effect: 'write', after: { ...view, generation, isTerminating: true } };
}

/** Removing the last finalizer of an object that is marked for deletion deletes it. */
function changed({ view }: VersionedObject, members: Partial<ViewAfter>): Outcome {
  const next = { ...view, ...members };
  if (view.isTerminating && next.finalizers.length === 0) return { code: 200, effect: 'delete' };
  const isOfSpec = next.x !== view.x || next.y !== view.y;
  const generation = isOfSpec && view.generation !== undefined ? view.generation + 1 : view.generation;
  return { code: 200, effect: 'write', after: { ...next, generation } };
}

/** An update owns exactly the fields that it changes. */
function withFields(write: WriteRequest, view: ObjectView, fields: Pick<ObjectView, 'x' | 'y'>): Pick<ObjectView, 'x' | 'y' | 'owners'> {
  const ownersOf = (field: 'x' | 'y'): readonly string[] => {
    if (fields[field] === view[field]) return view.owners[field];
    return fields[field] === undefined ? [] : [`${write.manager}/Update`];
  };
  const owners: FieldOwners = { x: ownersOf('x'), y: ownersOf('y') };
  return { ...fields, owners };
}
