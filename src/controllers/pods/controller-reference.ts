import type { KubeObject } from '../../client/index.ts';
import { controllerOf } from '../../component-helpers/index.ts';
import type { metav1 } from '../../schema/api/index.ts';

export { controllerOf };

export function isControlledBy(object: Pick<KubeObject, 'metadata'>, controller: Pick<KubeObject, 'metadata'>): boolean {
  return controllerOf(object)?.uid === controller.metadata.uid;
}

/** A reference to the controller of an object that is about to be created. Cf. metav1.NewControllerRef. */
export function newControllerReference({ apiVersion, kind, metadata }: KubeObject): metav1.OwnerReference {
  const { name = '', uid = '' } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}
