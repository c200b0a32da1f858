import type { metav1 } from '../../schema/api/index.ts';

/** Identifies an object by all its coordinates. Cf. upstream objectReference. */
export interface ObjectIdentity {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The identity of the owner that a reference names, for a dependent in this namespace. */
export function ownerIdentity({ apiVersion, kind, name, uid }: metav1.OwnerReference, namespace: string): ObjectIdentity {
  return { apiVersion, kind, namespace, name, uid };
}

/** Whether a reference names an object by all its coordinates but the namespace. Cf. upstream ownerReferenceMatchesCoordinates. */
export function refersTo(reference: metav1.OwnerReference, { apiVersion, kind, name, uid }: ObjectIdentity): boolean {
  return reference.uid === uid && reference.name === name && reference.kind === kind && reference.apiVersion === apiVersion;
}

export function isSameIdentity(a: ObjectIdentity, b: ObjectIdentity): boolean {
  return identityKey(a) === identityKey(b);
}

/** A text that differs for different identities. */
export function identityKey({ kind, apiVersion, namespace, name, uid }: ObjectIdentity): string {
  return [kind, apiVersion, namespace, name, uid].join(' ');
}

/** The kind is more significant than the namespace, so that cluster-scoped objects sort among the others. Cf. upstream referenceLessThan. */
export function isBefore(a: ObjectIdentity, b: ObjectIdentity): boolean {
  const fields = ['kind', 'apiVersion', 'namespace', 'name', 'uid'] as const;
  const different = fields.find((field) => a[field] !== b[field]);
  return different !== undefined && a[different] < b[different];
}

/** As in events. Cf. upstream objectReference.String. */
export function formatIdentity({ apiVersion, kind, namespace, name, uid }: ObjectIdentity): string {
  return `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
}
