import { NoMatchError } from '../program/errors.ts';
import type { ApiClient } from './client.ts';
import { type ApiResource, discoverResources, formatGroupVersion, qualifiedResourceName } from './discovery.ts';

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface ClusterOptions {
  readonly client: ApiClient;
  /** Discovery cache by server, shared between commands. */
  readonly discoveryCache: Map<string, readonly ApiResource[]>;
  /** Called for every failed attempt to read discovery. */
  readonly onFailure: (error: unknown) => Promise<void>;
  readonly onWarning: (text: string) => void;
}

/** A server with cached discovery. Reads it again when a type is missing. */
export class Cluster {
  readonly client: ApiClient;
  readonly #discoveryCache: Map<string, readonly ApiResource[]>;
  readonly #onFailure: (error: unknown) => Promise<void>;
  readonly #onWarning: (text: string) => void;
  #isRefreshed = false;

  constructor({ client, discoveryCache, onFailure, onWarning }: ClusterOptions) {
    this.client = client;
    this.#discoveryCache = discoveryCache;
    this.#onFailure = onFailure;
    this.#onWarning = onWarning;
  }

  /** All served resources, each group's preferred version first. `attempts`: how often kubectl tries, and reports a failure. */
  async resources(fresh = false, attempts = 5): Promise<readonly ApiResource[]> {
    const known = this.#discoveryCache.get(this.client.server);
    if (known && (!fresh || this.#isRefreshed)) return known;
    try {
      const found = await discoverResources(this.client);
      this.#discoveryCache.set(this.client.server, found);
      this.#isRefreshed = true;
      return found;
    } catch (error) {
      for (let attempt = 0; attempt < attempts; attempt++) await this.#onFailure(error);
      throw error;
    }
  }

  /** The resource for `po`, `deployments.apps`, `deploy.v1.apps` or `Pod`. @throws NoMatchError */
  async resourceFor(typed: string, attempts = 5): Promise<ApiResource> {
    const found = findResource(await this.resources(false, attempts), typed) ?? findResource(await this.resources(true), typed);
    if (found?.shortNames.includes(typed)) await this.#warnAboutOthers(typed, found);
    if (found) return found;
    throw new NoMatchError(`the server doesn't have a resource type ${JSON.stringify(typed.split('.', 1)[0])}`);
  }

  /** Warns about other resources with the short name. Cf. client-go shortcutExpander. */
  async #warnAboutOthers(shortName: string, found: ApiResource): Promise<void> {
    const others = (await this.resources())
      .filter((one) => one.shortNames.includes(shortName) && qualifiedResourceName(one) !== qualifiedResourceName(found))
      .map(qualifiedResourceName);
    for (const name of new Set(others))
      this.#onWarning(`short name ${JSON.stringify(shortName)} could also match lower priority resource ${name}`);
  }

  /** The resource that serves a kind. @throws NoMatchError */
  async resourceForKind(gvk: GroupVersionKind): Promise<ApiResource> {
    const matches = ({ group, version, kind }: ApiResource): boolean =>
      group === gvk.group && version === gvk.version && (kind === gvk.kind || kind.toLowerCase() === gvk.kind);
    const found = (await this.resources(false, 1)).find(matches) ?? (await this.resources(true)).find(matches);
    if (found) return found;
    throw new NoMatchError(`no matches for kind ${JSON.stringify(gvk.kind)} in version ${JSON.stringify(formatGroupVersion(gvk))}`);
  }

  /** Resources in a category such as `all`. */
  async resourcesInCategory(category: string): Promise<readonly ApiResource[]> {
    const member = ({ categories, verbs, preferred }: ApiResource): boolean =>
      preferred && categories.includes(category) && verbs.includes('list');
    const found = (await this.resources()).filter(member);
    return found.length > 0 ? found : (await this.resources(true)).filter(member);
  }
}

/** Group and version may be omitted; a group may be abbreviated to a prefix. Cf. apimachinery meta RESTMapper. */
export function findResource(resources: readonly ApiResource[], typed: string): ApiResource | undefined {
  const [name = '', ...rest] = typed.split('.');
  if (name === '') return undefined;
  const lower = name.toLowerCase();
  const [version, group] = [rest[0] ?? '', rest.slice(1).join('.')];
  const byName = (one: ApiResource): boolean =>
    one.name === lower || one.singular === lower || one.kind === name || one.kind.toLowerCase() === lower;
  const byShort = (one: ApiResource): boolean => one.shortNames.includes(name);
  if (rest.length > 1) {
    const exact = resources.find((one) => byName(one) && one.version === version && one.group === group);
    if (exact) return exact;
    // A short name ignores the version.
    const short = resources.find(
      (one) =>
        byShort(one) &&
        one.group === group &&
        one.preferred &&
        resources.some((other) => other.group === group && other.version === version),
    );
    if (short) return short;
  }
  const wanted = rest.join('.');
  const inGroup = (one: ApiResource): boolean => wanted === '' || one.group === wanted;
  const nearGroup = (one: ApiResource): boolean => one.group.startsWith(wanted);
  for (const matchesGroup of [inGroup, nearGroup]) {
    for (const matchesName of [byShort, byName]) {
      const found = resources.filter((one) => matchesName(one) && matchesGroup(one));
      const best = found.find((one) => one.preferred) ?? found[0];
      if (best) return best;
    }
  }
  return undefined;
}
