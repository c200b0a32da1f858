import { type JsonObject, runSteps } from '../../meta/index.ts';
import { FieldSet } from './fieldpath/field-set.ts';
import { FieldsV1 } from './fieldpath/fields-v1.ts';
import { fieldElement, type PathElement } from './fieldpath/path-element.ts';
import { decodeOwners, encodeOwners, identityOf, type Ownership } from './managers/managers.ts';

const replicasInScale: readonly PathElement[] = ['spec', 'replicas'].map(fieldElement);
const scaleApiVersion = 'autoscaling/v1';

/** Path of the replica count in an object, by version; an empty path where a version has none. */
export type ReplicasPaths = ReadonlyMap<string, readonly string[]>;

/**
 * The managedFields of the Scale subresource: the owners of the replicas (cf. apiserver fieldmanager ScaleHandler ToSubresource).
 * @throws SyntaxError when the object's entries are malformed
 */
export function toScaleManagedFields(parent: readonly JsonObject[], paths: ReplicasPaths): readonly JsonObject[] {
  const codec = new FieldsV1();
  const owners = new Map<string, Ownership>();
  for (const owner of runSteps(decodeOwners(parent, codec)).values()) {
    if (!ownsReplicas(owner, paths)) continue;
    const inScale = { ...owner, apiVersion: scaleApiVersion, fields: FieldSet.fromPaths([replicasInScale]) };
    owners.set(identityOf(inScale), inScale);
  }
  return encodeOwners(owners, codec);
}

function ownsReplicas({ apiVersion, fields }: Ownership, paths: ReplicasPaths): boolean {
  const path = paths.get(apiVersion);
  return path !== undefined && path.length > 0 && fields.has(path.map(fieldElement));
}

/**
 * The object's managedFields after a write to its Scale: former owners lose the replicas, new owners own them in version `apiVersion` of
 * the object (cf. ScaleHandler ToParent). Entries in versions without a path are dropped.
 * @throws SyntaxError when entries are malformed
 */
export function toParentManagedFields(
  parent: readonly JsonObject[],
  scale: readonly JsonObject[],
  paths: ReplicasPaths,
  apiVersion: string,
): readonly JsonObject[] {
  const codec = new FieldsV1();
  const before = runSteps(decodeOwners(parent, codec));
  const inScale = new Map(runSteps(decodeOwners(scale, codec)));
  const owners = new Map<string, Ownership>();
  for (const [identity, owner] of before) {
    if (!paths.has(owner.apiVersion)) continue;
    // Only appliers have the same identity in both versions: updaters lose the replicas and get them again, without a time.
    const still = !ownsReplicas(owner, paths) || inScale.delete(identity);
    const fields = still ? owner.fields : owner.fields.difference(replicasFieldSet(paths, owner.apiVersion));
    if (!fields.isEmpty) owners.set(identity, { ...owner, fields });
  }
  for (const [identity, owner] of inScale) {
    if (!owner.fields.has(replicasInScale)) continue;
    owners.set(identity, { ...owner, apiVersion, fields: replicasFieldSet(paths, apiVersion), time: before.get(identity)?.time });
  }
  return encodeOwners(owners, codec);
}

function replicasFieldSet(paths: ReplicasPaths, apiVersion: string): FieldSet {
  return FieldSet.fromPaths([(paths.get(apiVersion) ?? []).map(fieldElement)]);
}
