import { type ApiClient, hasStatus, metadataType } from '../../client/index.ts';
import { recordAt, sameJson } from '../../meta/index.ts';
import type { metav1 } from '../../schema/api/index.ts';
import { apiVersionOf, collectionPath, type DiscoveredResource } from '../discovered-resources.ts';
import { ignoreNotFound } from '../ignore-not-found.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import type { ObjectIdentity } from './object-identity.ts';
import { removeFinalizerPatch } from './patches.ts';

/** A kind that the server does not serve, or not yet. */
export class UnknownKindError extends Error {
  override readonly name = 'UnknownKindError';
}

type Kind = Pick<ObjectIdentity, 'apiVersion' | 'kind'>;

/** Reads, patches and deletes objects of any kind, by their metadata. */
export class GarbageClient {
  readonly #client: ApiClient;
  readonly #resources = new Map<string, DiscoveredResource>();

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /** The resources that the server serves. */
  setResources(resources: readonly DiscoveredResource[]): void {
    this.#resources.clear();
    for (const resource of resources) {
      const key = `${apiVersionOf(resource)} ${resource.kind}`;
      if (!this.#resources.has(key)) this.#resources.set(key, resource);
    }
  }

  /** @throws UnknownKindError */
  isNamespaced(kind: Kind): boolean {
    return this.#resourceOf(kind).namespaced;
  }

  /** The stored metadata; undefined when there is no such object. @throws UnknownKindError */
  async get(identity: ObjectIdentity): Promise<metav1.ObjectMeta | undefined> {
    try {
      return await this.#send('GET', identity);
    } catch (error) {
      if (hasStatus(error, 404)) return undefined;
      throw error;
    }
  }

  /**
   * Deletes an object unless its owners have changed since `latest` was read. Cf. upstream deleteObject.
   */
  async delete(identity: ObjectIdentity, latest: metav1.ObjectMeta, propagationPolicy: string): Promise<void> {
    const { uid } = identity;
    const { resourceVersion } = latest;
    try {
      await this.#delete(identity, {
        propagationPolicy,
        preconditions: { uid, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
      });
    } catch (error) {
      if (!hasStatus(error, 409)) throw error;
      const live = await this.get(identity);
      if (!live) return;
      const isUnchanged = live.uid === uid && sameJson(live.ownerReferences ?? [], latest.ownerReferences ?? []);
      if (!isUnchanged || live.resourceVersion === resourceVersion) throw error;
      await this.#delete(identity, { propagationPolicy, preconditions: { uid } });
    }
  }

  /** Patches an object; `mergePatch` is for resources without strategic merge patches. */
  async patch(identity: ObjectIdentity, patch: object, mergePatch: (latest: metav1.ObjectMeta) => object): Promise<void> {
    try {
      await this.#send('PATCH', identity, patch, 'application/strategic-merge-patch+json');
    } catch (error) {
      if (!hasStatus(error, 415)) throw error;
      const latest = await this.get(identity);
      if (latest) await this.#mergePatch(identity, mergePatch(latest));
    }
  }

  /** Removes a finalizer, again when the object has changed meanwhile. Cf. upstream removeFinalizer. */
  async removeFinalizer(identity: ObjectIdentity, finalizer: string): Promise<void> {
    const write = async (latest: metav1.ObjectMeta | undefined): Promise<void> => {
      if (latest?.finalizers?.includes(finalizer)) await this.#mergePatch(identity, removeFinalizerPatch(latest, finalizer));
    };
    await ignoreNotFound(retryOnConflict(await this.get(identity), write, () => this.get(identity)));
  }

  #resourceOf({ apiVersion, kind }: Kind): DiscoveredResource {
    const resource = this.#resources.get(`${apiVersion} ${kind}`);
    if (!resource) throw new UnknownKindError(`no resource for ${apiVersion}, Kind=${kind}`);
    return resource;
  }

  async #delete(identity: ObjectIdentity, options: object): Promise<void> {
    await ignoreNotFound(this.#send('DELETE', identity, { kind: 'DeleteOptions', apiVersion: 'v1', ...options }));
  }

  async #mergePatch(identity: ObjectIdentity, patch: object): Promise<void> {
    await this.#send('PATCH', identity, patch, 'application/merge-patch+json');
  }

  async #send(method: string, identity: ObjectIdentity, body?: object, contentType?: string): Promise<metav1.ObjectMeta> {
    const resource = this.#resourceOf(identity);
    const path = `${collectionPath(resource, resource.namespaced ? identity.namespace : '')}/${encodeURIComponent(identity.name)}`;
    const call = { ...(body === undefined ? {} : { body }), ...(contentType === undefined ? {} : { contentType }) };
    const answer = await this.#client.send(method, path, {
      accept: `${metadataType(this.#client.options.product)},application/json`,
      ...call,
    });
    return recordAt(answer, 'metadata');
  }
}
