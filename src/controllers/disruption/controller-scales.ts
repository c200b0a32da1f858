import { type ApiClient, hasStatus, type InformerSource, type KubeObject, type SharedInformer } from '../../client/index.ts';
import { goQuote } from '../../meta/index.ts';
import {
  appsv1Deployments,
  appsv1ReplicaSets,
  appsv1StatefulSets,
  type autoscalingv1,
  corev1ReplicationControllers,
  type metav1,
} from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { controllerOf } from '../pods/index.ts';

/** The replicas of the controller of a pod, or of the controller's own controller. */
export interface ControllerScale {
  readonly uid: string;
  readonly replicas: number;
}

/** Undefined when the controller does not exist. @throws Error when it has no scale */
export type FindScale = (reference: metav1.OwnerReference, namespace: string) => Promise<ControllerScale | undefined>;

/** A kind of controllers of pods whose replicas are read from a cache. */
type ScaledObject = KubeObject & { readonly spec: { readonly replicas?: number } };

/** An informer of such a kind. */
interface ScaleCache extends Pick<SharedInformer<KubeObject>, 'synced'> {
  readonly store: { get(key: string): ScaledObject | undefined };
}

/** Finds the scales of controllers. Cf. pkg/controller/disruption finders. */
export class ControllerScales {
  readonly #client: ApiClient;
  readonly #deployments: ScaleCache;
  readonly #replicaSets: ScaleCache;
  readonly #others: Readonly<Record<string, ScaleCache>>;

  constructor(client: ApiClient, informers: InformerSource) {
    this.#client = client;
    this.#deployments = informers.informer(appsv1Deployments);
    this.#replicaSets = informers.informer(appsv1ReplicaSets);
    this.#others = {
      'StatefulSet.apps': informers.informer(appsv1StatefulSets),
      'ReplicationController.': informers.informer(corev1ReplicationControllers),
    };
  }

  /** The caches that the scales are read from. */
  get informers(): readonly ScaleCache[] {
    return [this.#deployments, this.#replicaSets, ...Object.values(this.#others)];
  }

  async find(reference: metav1.OwnerReference, namespace: string): Promise<ControllerScale | undefined> {
    const kind = `${reference.kind}.${groupOf(reference)}`;
    if (kind === 'ReplicaSet.apps') {
      const scale = this.#scaleOfReplicaSet(reference, namespace);
      if (scale) return scale;
    }
    const cache = Object.hasOwn(this.#others, kind) ? this.#others[kind] : undefined;
    const object = cache && cached(cache, reference, namespace);
    return object ? scaleOf(object) : this.#readScale(reference, namespace);
  }

  /** The scale of its deployment, if it has one. */
  #scaleOfReplicaSet(reference: metav1.OwnerReference, namespace: string): ControllerScale | undefined {
    const replicaSet = cached(this.#replicaSets, reference, namespace);
    const owner = replicaSet && controllerOf(replicaSet);
    if (owner?.kind !== 'Deployment') return replicaSet && scaleOf(replicaSet);
    const deployment = groupOf(owner) === 'apps' ? cached(this.#deployments, owner, namespace) : undefined;
    return deployment && scaleOf(deployment);
  }

  /** Any kind with a scale subresource. Cf. getScaleController. */
  async #readScale({ apiVersion, kind, name, uid }: metav1.OwnerReference, namespace: string): Promise<ControllerScale | undefined> {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const resources = await this.#resourcesOf(root);
    const resource = resources.find((one) => one.kind === kind && !one.name?.includes('/'));
    if (!resource) throw new Error(`no matches for kind ${goQuote(kind)} in version ${goQuote(apiVersion)}`);
    const { name: plural = '' } = resource;
    try {
      const path = `${root}/namespaces/${namespace}/${plural}/${encodeURIComponent(name)}/scale`;
      const { metadata, spec }: Decoded<autoscalingv1.Scale> = await this.#client.send('GET', path);
      return metadata?.uid === uid ? { uid, replicas: spec?.replicas ?? 0 } : undefined;
    } catch (error) {
      if (!hasStatus(error, 404)) throw error;
      if (resources.some((one) => one.name === `${plural}/scale`)) return undefined;
      const group = groupOf({ apiVersion });
      throw new Error(`${plural}${group === '' ? '' : `.${group}`} does not implement the scale subresource`);
    }
  }

  async #resourcesOf(root: string): Promise<readonly Decoded<metav1.APIResource>[]> {
    try {
      const list: Decoded<metav1.APIResourceList> = await this.#client.send('GET', root);
      return list.resources ?? [];
    } catch (error) {
      if (hasStatus(error, 404)) return [];
      throw error;
    }
  }
}

function cached(informer: ScaleCache, { name, uid }: metav1.OwnerReference, namespace: string): ScaledObject | undefined {
  const object = informer.store.get(`${namespace}/${name}`);
  return object?.metadata.uid === uid ? object : undefined;
}

function scaleOf({ metadata, spec }: ScaledObject): ControllerScale {
  return { uid: metadata.uid ?? '', replicas: spec.replicas ?? 1 };
}

function groupOf({ apiVersion }: Pick<metav1.OwnerReference, 'apiVersion'>): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}
