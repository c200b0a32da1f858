import { isJsonObject, type JsonObject } from '../../../src/meta/index.ts';
import { checkGet, messageOf } from '../checker/check-responses.ts';
import { check, rules } from '../checker/violation.ts';
import type { SimulatedKind } from '../model/kinds.ts';
import { metadataOf, versionOf } from '../model/object-view.ts';
import type { ApiClient } from './api-client.ts';
import type { KnownObject, RunContext } from './run-context.ts';

/** The object versions that a client may use in requests; reads of single objects. */
export class KnownObjects {
  readonly #context: RunContext;
  readonly #api: ApiClient;
  /** Versions that this client has observed, oldest first; some of them are compacted by now. */
  readonly versions: number[] = [1];

  constructor(context: RunContext, api: ApiClient) {
    this.#context = context;
    this.#api = api;
  }

  get(kind: SimulatedKind, name: string): KnownObject | undefined {
    const { once, random } = this.#context.environment;
    const observed = this.#context.observedObjects.get(kind.keyPrefix + name) ?? [];
    // The last one, or one of an object that may be deleted by now.
    return once(2) ? observed[random.integer(observed.length)] : observed.at(-1);
  }

  learn(kind: SimulatedKind, name: string, object: JsonObject): void {
    const { resourceVersion: version = '', uid = '' } = metadataOf(object);
    if (object['kind'] === 'Status' || version === '') return;
    const key = kind.keyPrefix + name;
    this.#context.observedObjects.set(key, [...(this.#context.observedObjects.get(key) ?? []), { version, uid }]);
    this.versions.push(Number(version));
  }

  /** Any observed version, mostly a recent one. */
  anyVersion(): number {
    const { random, once } = this.#context.environment;
    const { versions } = this;
    const index = once(2) ? random.integer(versions.length) : versions.length - 1 - random.integer(Math.min(4, versions.length));
    return versions[index] ?? 1;
  }

  /** Reads an object: the newest state, or with `version` any that is not older. */
  async read(kind: SimulatedKind, name: string, version?: number): Promise<void> {
    const { history, environment } = this.#context;
    const establishedBefore = history.established;
    const query = version === undefined ? '' : `?resourceVersion=${version}`;
    const delivered = await this.#api.get(`${kind.collection}/${name}${query}`);
    if (!delivered) return;
    const { response, body, arrival, newest: to } = delivered;
    const { status } = response;
    environment.coverage.count(`get ${version === undefined ? 'newest' : version === 0 ? 'at 0' : 'not older than'} ${status}`);
    if (status >= 500) return;
    check(status === 200 || status === 404, rules.explained, () => `${status} ${messageOf(body)} to a get of ${kind.name} ${name}`);
    const from = version === undefined ? establishedBefore : Math.max(version, arrival.shown);
    const object = status === 200 && isJsonObject(body) ? body : undefined;
    checkGet(history, { kind, name, from, to, isVersioned: version !== undefined, body: object });
    if (object && versionOf(object) > 0) this.learn(kind, name, object);
  }
}
