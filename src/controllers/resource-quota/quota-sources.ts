import { createMetadataInformer, type KubeObject, type SharedInformer } from '../../client/index.ts';
import { corev1PersistentVolumeClaims, corev1Pods, corev1Services, resourcev1ResourceClaims } from '../../schema/api/index.ts';
import type { QuotaResource } from '../../schema/index.ts';
import type { ControllerContext } from '../controller.ts';
import { collectionPath, type DiscoveredResource, discoverResources } from '../discovered-resources.ts';

/** Between discoveries for resources that are not served. */
const discoveryMs = 30_000;

type Source = Pick<SharedInformer<KubeObject>, 'store' | 'synced' | 'addHandler'>;

/** The caches of the objects that quotas count, each created when the first quota counts its objects. */
export class QuotaSources {
  readonly #context: ControllerContext;
  readonly #onCreate: (resource: QuotaResource, source: Source) => void;
  /** Without resources that are not served. */
  readonly #sources = new Map<string, Promise<Source | undefined>>();
  #discovered: Promise<readonly DiscoveredResource[]> = Promise.resolve([]);
  #discoveredMs = Number.NEGATIVE_INFINITY;

  constructor(context: ControllerContext, onCreate: (resource: QuotaResource, source: Source) => void) {
    this.#context = context;
    this.#onCreate = onCreate;
  }

  /** Resolves with the complete cache; undefined when the resource is not served. */
  async get(resource: QuotaResource): Promise<Source | undefined> {
    const key = `${resource.group}/${resource.resource}`;
    // Quotas are reconciled at the same time, and share one watch.
    const pending = this.#sources.get(key) ?? this.#create(resource);
    this.#sources.set(key, pending);
    let source: Source | undefined;
    try {
      source = await pending;
    } finally {
      if (!source) this.#sources.delete(key);
    }
    await source?.synced;
    return source;
  }

  async #create(resource: QuotaResource): Promise<Source | undefined> {
    const source = await this.#open(resource);
    if (source) this.#onCreate(resource, source);
    return source;
  }

  async #open({ group, resource }: QuotaResource): Promise<Source | undefined> {
    const { informers, product } = this.#context;
    // Those that count for more than their number are cached in whole.
    if (group === '' && resource === 'pods') return informers.informer(corev1Pods) as unknown as Source;
    if (group === '' && resource === 'services') return informers.informer(corev1Services) as unknown as Source;
    if (group === '' && resource === 'persistentvolumeclaims') {
      return informers.informer(corev1PersistentVolumeClaims) as unknown as Source;
    }
    const found = (await this.#discover()).find(({ isPreferred, name, namespaced, verbs, ...one }) => {
      const isSame = name === resource && one.group === product.rename(group);
      return isSame && isPreferred && namespaced && ['list', 'watch'].every((verb) => verbs.includes(verb));
    });
    if (!found) return undefined;
    // The metadata of claims do not contain their devices.
    const isClaims = found.group === product.rename('resource.k8s.io') && found.version === 'v1' && resource === 'resourceclaims';
    if (isClaims) return informers.informer(resourcev1ResourceClaims) as unknown as Source;
    return createMetadataInformer(this.#context, collectionPath(found), this.#context.signal);
  }

  #discover(): Promise<readonly DiscoveredResource[]> {
    const nowMs = this.#context.clock.monotonicMs();
    if (nowMs - this.#discoveredMs < discoveryMs) return this.#discovered;
    this.#discoveredMs = nowMs;
    this.#discovered = discoverResources(this.#context).catch((error: unknown) => {
      this.#discoveredMs = Number.NEGATIVE_INFINITY;
      throw error;
    });
    return this.#discovered;
  }
}
