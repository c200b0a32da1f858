import { NoMatchError } from '../program/errors.ts';
import type { ApiClient } from './client.ts';
import { discover, type KnownResource } from './discovery.ts';

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface ClusterOptions {
  readonly client: ApiClient;
  /** What earlier commands found out, by server. */
  readonly memory: Map<string, readonly KnownResource[]>;
  /** Told for every attempt to read discovery that failed. */
  readonly onFailure: (error: unknown) => void;
}

/** A server with what it serves, found out once and again when something is missing. */
export class Cluster {
  readonly client: ApiClient;
  readonly #memory: Map<string, readonly KnownResource[]>;
  readonly #onFailure: (error: unknown) => void;
  #fresh = false;

  constructor({ client, memory, onFailure }: ClusterOptions) {
    this.client = client;
    this.#memory = memory;
    this.#onFailure = onFailure;
  }

  /** Everything that is served, preferred versions first in their group. `attempts`: how often kubectl tries before it gives up. */
  async resources(fresh = false, attempts = 5): Promise<readonly KnownResource[]> {
    const known = this.#memory.get(this.client.server);
    if (known && (!fresh || this.#fresh)) return known;
    try {
      const found = await discover(this.client);
      this.#memory.set(this.client.server, found);
      this.#fresh = true;
      return found;
    } catch (error) {
      for (let attempt = 0; attempt < attempts; attempt++) this.#onFailure(error);
      throw error;
    }
  }

  /** What stands behind `po`, `deployments.apps`, `deploy.v1.apps`, `Pod`. @throws NoMatchError */
  async resourceOf(typed: string): Promise<KnownResource> {
    const found = findTyped(await this.resources(), typed) ?? findTyped(await this.resources(true), typed);
    if (found) return found;
    throw new NoMatchError(`the server doesn't have a resource type ${JSON.stringify(typed.split('.', 1)[0])}`);
  }

  /** Where objects of a kind live. @throws NoMatchError */
  async resourceOfKind(gvk: GroupVersionKind): Promise<KnownResource> {
    const matches = ({ group, version, kind }: KnownResource): boolean =>
      group === gvk.group && version === gvk.version && (kind === gvk.kind || kind.toLowerCase() === gvk.kind);
    const found = (await this.resources()).find(matches) ?? (await this.resources(true)).find(matches);
    if (found) return found;
    const version = gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`;
    throw new NoMatchError(`no matches for kind ${JSON.stringify(gvk.kind)} in version ${JSON.stringify(version)}`);
  }

  /** Types in a category such as `all`. */
  async inCategory(category: string): Promise<readonly KnownResource[]> {
    const member = ({ categories, verbs, preferred }: KnownResource): boolean =>
      preferred && categories.includes(category) && verbs.includes('list');
    const found = (await this.resources()).filter(member);
    return found.length > 0 ? found : (await this.resources(true)).filter(member);
  }
}

/** Cf. apimachinery meta's RESTMapper: group and version may be left out; a group may be a beginning. */
export function findTyped(resources: readonly KnownResource[], typed: string): KnownResource | undefined {
  const [name = '', ...rest] = typed.split('.');
  if (name === '') return undefined;
  const lower = name.toLowerCase();
  const [version, group] = [rest[0] ?? '', rest.slice(1).join('.')];
  const byName = (one: KnownResource): boolean =>
    one.name === lower || one.singular === lower || one.kind === name || one.kind.toLowerCase() === lower;
  const byShort = (one: KnownResource): boolean => one.shortNames.includes(name);
  if (rest.length > 1) {
    const exact = resources.find((one) => byName(one) && one.version === version && one.group === group);
    if (exact) return exact;
    // A short name forgets its version.
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
  const inGroup = (one: KnownResource): boolean => wanted === '' || one.group === wanted;
  const nearGroup = (one: KnownResource): boolean => one.group.startsWith(wanted);
  for (const fits of [inGroup, nearGroup]) {
    for (const named of [byShort, byName]) {
      const found = resources.filter((one) => named(one) && fits(one));
      const best = found.find((one) => one.preferred) ?? found[0];
      if (best) return best;
    }
  }
  return undefined;
}
