import { compareTexts } from '../meta/index.ts';
import type { metav1 } from '../schema/api/index.ts';

/** An object, as far as these functions read it. */
export interface MetaObject {
  readonly metadata: metav1.ObjectMeta;
}

/** The reference to the controller of an object, of which there is at most one. Cf. metav1.GetControllerOf. */
export function controllerOf({ metadata }: MetaObject): metav1.OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** Orders objects by age, the oldest first, then by name. Timestamps of the API are ordered as their texts. */
export function compareByCreation({ metadata: a }: MetaObject, { metadata: b }: MetaObject): number {
  return compareTexts(a.creationTimestamp ?? '', b.creationTimestamp ?? '') || compareTexts(a.name ?? '', b.name ?? '');
}
