import type { ApiObject } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { type ReferencedResource, referencesObject, secretsOfVolume } from './pod-references.ts';

/** Stored objects that the node authorizer reads. */
export interface NodeSource {
  pods(namespace: string): Promise<readonly ApiObject[]>;
  volumes(): Promise<readonly ApiObject[]>;
  volume(name: string): Promise<ApiObject | undefined>;
  attachment(name: string): Promise<ApiObject | undefined>;
  slice(name: string): Promise<ApiObject | undefined>;
}

/** Resources that can be related to a node. */
export type RelatedResource = ReferencedResource | 'persistentvolumes' | 'pods' | 'resourceslices' | 'volumeattachments';

const mirrorAnnotation = 'config.mirror';

/**
 * Whether an object is related to a node: referenced by a pod bound to it, or by a volume of such a pod. Reads the stored objects on
 * each request, without a graph: node requests are rare here, and pods change often. Cf. upstream plugin/pkg/auth/authorizer/node Graph.
 */
export async function isRelated(
  source: NodeSource,
  rename: (text: string) => string,
  node: string,
  what: RelatedResource,
  namespace: string,
  name: string,
): Promise<boolean> {
  const podsHere = async (where: string): Promise<readonly ApiObject[]> => (await source.pods(where)).filter((pod) => nodeOf(pod) === node);
  // Mirror pods, which the node created itself, grant no further rights.
  const mirror = rename(`kubernetes.io/${mirrorAnnotation}`);
  const isUsedBy = async (where: string, kind: ReferencedResource, object: string): Promise<boolean> =>
    (await podsHere(where)).some((pod) => pod.metadata.annotations?.[mirror] === undefined && referencesObject(pod, kind, object));
  const mountsVolume = async (volume: ApiObject | undefined): Promise<boolean> => {
    const { name: claim = '', namespace: where = '' } = (volume as unknown as corev1.PersistentVolume | undefined)?.spec.claimRef ?? {};
    return claim !== '' && isUsedBy(where, 'persistentvolumeclaims', claim);
  };

  switch (what) {
    case 'pods':
      return (await podsHere(namespace)).some((pod) => pod.metadata.name === name);
    case 'persistentvolumes':
      return mountsVolume(await source.volume(name));
    case 'resourceslices':
      return nodeOf(await source.slice(name)) === node;
    case 'volumeattachments':
      return nodeOf(await source.attachment(name)) === node;
    case 'secrets': {
      if (await isUsedBy(namespace, 'secrets', name)) return true;
      for (const volume of await source.volumes()) {
        if (secretsOfVolume(volume).includes(`${namespace}/${name}`) && (await mountsVolume(volume))) return true;
      }
      return false;
    }
    default:
      return isUsedBy(namespace, what, name);
  }
}

/** The node of a pod, volume attachment or resource slice. */
function nodeOf(object: ApiObject | undefined): string {
  const { spec } = (object ?? {}) as { readonly spec?: Pick<corev1.PodSpec, 'nodeName'> };
  return spec?.nodeName ?? '';
}
