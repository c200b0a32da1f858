import { createMetadataInformer, type KubeObject, type SharedInformer } from '../../client/index.ts';
import { corev1PersistentVolumeClaims, corev1Pods, corev1Services } from '../../schema/api/index.ts';
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
  readonly #sources = new Map<string, Source>();
  #discovered: readonly DiscoveredResource[] = [];
  #discoveredMs = Number.NEGATIVE_INFINITY;

  constructor(context: ControllerContext, onCreate: (resource: QuotaResource, source: Source) => void) {
    this.#context = context;
    this.#onCreate = onCreate;
  }

  /** Resolves with the complete cache; undefined when the resource is not served. */
  async get(resource: QuotaResource): Promise<Source | undefined> {
    const key = `${resource.group}/${resource.resource}`;
    let source = this.#sources.get(key);
    if (!source) {
      source = await this.#create(resource);
      if (!source) return undefined;
      const other = this.#sources.get(key);
      if (other) return other;
      this.#sources.set(key, source);
      this.#onCreate(resource, source);
    }
    await source.synced;
    return source;
  }

  async #create({ group, resource }: QuotaResource): Promise<Source | undefined> {
    const { informers, product } = this.#context;
    // Those that count for more than their number are cached in whole.
    if (group === '' && resource === 'pods') return informers.informer(corev1Pods) as unknown as Source;
    if (group === '' && resource === 'services') return informers.informer(corev1Services) as unknown as Source;
    if (group === '' && resource === 'persistentvolumeclaims') {
      return informers.informer(corev1PersistentVolumeClaims) as unknown as Source;
    }
    const found = await this.#discover(({ isPreferred, name, namespaced, verbs, ...one }) => {
      const isSame = name === resource && one.group === product.rename(group);
      return isSame && isPreferred && namespaced && ['list', 'watch'].every((verb) => verbs.includes(verb));
    });
    return found && createMetadataInformer(this.#context, collectionPath(found), this.#context.signal);
  }

  async #discover(isWanted: (resource: DiscoveredResource) => boolean): Promise<DiscoveredResource | undefined> {
    const known = this.#discovered.find(isWanted);
    const nowMs = this.#context.clock.monotonicMs();
    if (known || nowMs - this.#discoveredMs < discoveryMs) return known;
    this.#discoveredMs = nowMs;
    this.#discovered = await discoverResources(this.#context);
    return this.#discovered.find(isWanted);
  }
}
