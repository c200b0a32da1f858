import { type ApiObject, conflict } from '../meta/index.ts';
import { parseGroupVersion } from '../schema/index.ts';
import { objectKey } from './object-keys.ts';
import { type ObjectRef, subjectOf } from './object-store.ts';

/** The expected uid and version of an object; undefined: any. */
export interface Preconditions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** The message of the failed precondition, as of upstream's storage.Preconditions.Check. */
function preconditionMismatch({ uid, resourceVersion }: Preconditions, { metadata }: ApiObject): string | undefined {
  const describeMismatch = (what: string, expected: string, actual = ''): string =>
    `Precondition failed: ${what} in precondition: ${expected}, ${what} in object meta: ${actual}`;
  if (uid !== undefined && uid !== metadata.uid) return describeMismatch('UID', uid, metadata.uid);
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion)
    return describeMismatch('ResourceVersion', resourceVersion, metadata.resourceVersion);
  return undefined;
}

/** For kinds with their own delete function, and scales. @throws StatusError 409 */
export function checkPreconditions(ref: ObjectRef, preconditions: Preconditions, object: ApiObject): void {
  const why = preconditionMismatch(preconditions, object);
  if (why !== undefined) throw conflict(subjectOf(ref.resource), ref.name, why);
}

/** For updates of an existing object. @throws StatusError 409 */
export function checkUpdatePreconditions(ref: ObjectRef, preconditions: Preconditions, object: ApiObject, dryRun: boolean): void {
  const why = preconditionMismatch(preconditions, object);
  if (why === undefined) return;
  const stored = objectKey(ref.resource, ref.namespace, ref.name);
  // In a dry run the check comes before the storage prefix is added to the key.
  const key = dryRun ? stored.slice(stored.indexOf('/', 1)) : stored;
  const message = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
  throw conflict(subjectOf(ref.resource), ref.name, message);
}

/** For deletions, with the messages of upstream's rest.BeforeDelete. @throws StatusError 409 */
export function checkDeletePreconditions(ref: ObjectRef, { uid, resourceVersion }: Preconditions, { metadata, kind }: ApiObject): void {
  // Upstream's error contains the kind in its stored group here, not the resource.
  const of = { group: parseGroupVersion(ref.resource.storageVersion).group, name: kind };
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(of, ref.name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(of, ref.name, why);
  }
}
