import type { JsonObject } from '../../meta/index.ts';
import type { ApiResource, List, metav1 } from '../../schema/api/index.ts';
import type { ApiClient } from './api-client.ts';
import { hasStatus } from './api-error.ts';

/** Any object of the API. */
export interface KubeObject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
}

/** A part of an object, as in creates, patches and applies. */
export type PartialObject<T> = T extends readonly (infer Item)[]
  ? readonly PartialObject<Item>[]
  : T extends object
    ? { readonly [Field in keyof T]?: PartialObject<T[Field]> }
    : T;

/** The name of an object in its resource. */
export interface ObjectKey {
  readonly name: string;
  /** Absent for cluster-scoped resources. */
  readonly namespace?: string;
}

/** The objects of a list. */
export interface ListOptions {
  /** All namespaces when absent. */
  readonly namespace?: string;
  /** `app=a,tier in (x,y)`. Default: any labels. */
  readonly labelSelector?: string;
  /** `metadata.name=a`. Default: any fields. */
  readonly fieldSelector?: string;
}

/** Options of writes. */
export interface WriteOptions {
  /** `status`, `scale` and so on. Default: the object itself. */
  readonly subresource?: string;
  /** The name in `metadata.managedFields`, at most 128 characters. */
  readonly fieldManager?: string;
}

/** Number of objects in a page of a list, that of client-go. */
export const pageSize = 500;

/** Content types of patches. */
const patchTypes = {
  apply: 'application/apply-patch+yaml',
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** The verbs of one resource. All methods throw ApiError for an error response. */
export class ResourceClient<T extends KubeObject> {
  readonly #client: ApiClient;
  readonly #resource: ApiResource<T>;

  constructor(client: ApiClient, resource: ApiResource<T>) {
    this.#client = client;
    this.#resource = resource;
  }

  /** The API version of the objects, with the names of the product. */
  get apiVersion(): string {
    const { group, version } = this.#resource;
    return this.#client.options.product.rename(group === '' ? version : `${group}/${version}`);
  }

  get kind(): string {
    return this.#resource.kind;
  }

  /** The path of the collection in one namespace, or in all. */
  collectionPath(namespace = ''): string {
    const within = namespace === '' || !this.#resource.namespaced ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
    return `${this.#resource.group === '' ? '/api' : '/apis'}/${this.apiVersion}${within}/${this.#resource.resource}`;
  }

  /** Reads an object. */
  async get(key: ObjectKey): Promise<T> {
    return this.#object('GET', this.#path(key));
  }

  /** Reads an object; undefined when there is none (404). */
  async getIfExists(key: ObjectKey): Promise<T | undefined> {
    try {
      return await this.get(key);
    } catch (error) {
      if (hasStatus(error, 404)) return undefined;
      throw error;
    }
  }

  /**
   * Reads all objects of a namespace, or of all, that match the selectors: page by page, so that a large collection is not decoded at once.
   * Rejects with 410 when a change of the store ends the pages.
   */
  async list({ namespace, labelSelector, fieldSelector }: ListOptions = {}): Promise<List<T>> {
    const items: T[] = [];
    for (let next: string | undefined; ; ) {
      const query = queryOf({ labelSelector, fieldSelector, limit: `${pageSize}`, continue: next });
      const page = (await this.#client.send('GET', this.collectionPath(namespace) + query)) as unknown as List<T>;
      for (const item of page.items) items.push(item);
      next = page.metadata.continue || undefined;
      if (next === undefined) return { ...page, items };
    }
  }

  /** Creates an object. Its `kind` and `apiVersion` are added. */
  async create(object: PartialObject<T>, { fieldManager }: WriteOptions = {}): Promise<T> {
    const body = { ...object, apiVersion: this.apiVersion, kind: this.kind };
    return this.#object('POST', this.collectionPath(object.metadata?.namespace) + queryOf({ fieldManager }), body);
  }

  /** Posts to a subresource, such as the binding of a pod, and returns the answer. */
  createSubresource(key: ObjectKey, subresource: string, body: object): Promise<object> {
    return this.#client.send('POST', this.#path(key, subresource), { body });
  }

  /** Replaces the stored object; a resourceVersion in the object is a precondition. */
  async update(object: T, { subresource, fieldManager }: WriteOptions = {}): Promise<T> {
    return this.#object('PUT', this.#path(keyOf(object), subresource) + queryOf({ fieldManager }), object);
  }

  /** Replaces the `status` of the stored object; its other fields are unchanged. */
  async updateStatus(object: T): Promise<T> {
    return this.update(object, { subresource: 'status' });
  }

  /** Changes an object. `patch` is a partial object, or a list of operations for a JSON patch. */
  async patch(key: ObjectKey, type: 'json' | 'merge' | 'strategic', patch: object, options: WriteOptions = {}): Promise<T> {
    const path = this.#path(key, options.subresource) + queryOf({ fieldManager: options.fieldManager });
    return this.#object('PATCH', path, patch, patchTypes[type]);
  }

  /** Applies the configuration as this field manager, creating the object when absent, and takes fields of other managers. */
  async apply(object: PartialObject<T>, { subresource, fieldManager }: WriteOptions & { readonly fieldManager: string }): Promise<T> {
    const { name = '', namespace } = object.metadata ?? {};
    const path = this.#path({ name, ...(namespace === undefined ? {} : { namespace }) }, subresource);
    const body = { apiVersion: this.apiVersion, kind: this.kind, ...object };
    return this.#object('PATCH', path + queryOf({ fieldManager, force: 'true' }), body, patchTypes.apply);
  }

  /** Deletes an object; one with finalizers exists until they are removed. */
  async delete(key: ObjectKey, options: PartialObject<metav1.DeleteOptions> = {}): Promise<void> {
    await this.#client.send('DELETE', this.#path(key), { body: { kind: 'DeleteOptions', apiVersion: 'v1', ...options } });
  }

  #path({ name, namespace }: ObjectKey, subresource?: string): string {
    const path = `${this.collectionPath(namespace)}/${encodeURIComponent(name)}`;
    return subresource === undefined ? path : `${path}/${subresource}`;
  }

  async #object(method: string, target: string, body?: object, contentType?: string): Promise<T> {
    // The server encodes objects as the catalog describes them, from which the types are generated.
    return (await this.#client.send(method, target, { body, contentType })) as JsonObject as unknown as T;
  }
}

/** The key of an object. */
export function keyOf({ metadata: { name = '', namespace } }: Pick<KubeObject, 'metadata'>): ObjectKey {
  return namespace === undefined ? { name } : { name, namespace };
}

function queryOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
