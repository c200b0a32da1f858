import { isJsonObject, type Json, type JsonObject } from '../../../src/meta/index.ts';
import { byText, objectsAt, sortedJson, textAt, valueAt } from './json.ts';
import { comparedKinds, watchedKinds } from './kinds.ts';
import type { NormalForm } from './normal-form.ts';
import { plainObject } from './plain-object.ts';
import type { KubeJson, RecordedEvent, RecordedObject, Scenario } from './scenario.ts';
import type { VirtualCluster } from './virtual-cluster.ts';

/** A cluster without changes for this time is quiet. */
const quietMs = 1_500;

/** Objects of these resources are not compared, though the scenario created them. */
const notCompared =
  /\/(nodes|customresourcedefinitions|storageclasses|priorityclasses|csidrivers|csinodes|clusterroles|clusterrolebindings|runtimeclasses)\//;

/** Follows the objects of a scenario's namespace, and takes the normal forms of objects and events. */
export class Observer {
  readonly #cluster: VirtualCluster;
  readonly #scenario: Scenario;
  readonly #namespace: string;
  readonly #normal: NormalForm;
  /** Paths of the cluster-scoped objects that steps created. */
  readonly #created = new Set<string>();
  #changedMs = 0;
  /** The version of the node events before the steps. */
  #startVersion = 0;

  constructor(cluster: VirtualCluster, scenario: Scenario, namespace: string, normal: NormalForm) {
    this.#cluster = cluster;
    this.#scenario = scenario;
    this.#namespace = namespace;
    this.#normal = normal;
  }

  async start(): Promise<void> {
    const { product } = this.#cluster;
    for (const { kind, path } of watchedKinds)
      await this.#cluster.watch(product.rename(path(this.#namespace)), (line) => this.#onWatchEvent(JSON.parse(line), kind));
    if (this.#scenario.showNodes) {
      await this.#cluster.watch('/api/v1/nodes', (line) => this.#onWatchEvent(JSON.parse(line), 'Node'));
      this.#startVersion = Number(textAt(await this.#cluster.get('/api/v1/namespaces/default/events'), 'metadata', 'resourceVersion'));
    }
    await this.#cluster.advance(0);
  }

  #onWatchEvent({ object, type }: JsonObject, kind: string): void {
    if (type === 'BOOKMARK' || type === 'ERROR' || !isJsonObject(object)) return;
    this.#normal.learn({ ...object, kind } as KubeJson);
    this.#changedMs = this.#cluster.nowMs();
  }

  /** A step created a cluster-scoped object. */
  onCreated(path: string): void {
    this.#created.add(path);
  }

  async untilQuiet(limitMs = 15_000): Promise<void> {
    const { nowMs } = this.#cluster;
    const endMs = nowMs() + limitMs;
    while (nowMs() < endMs && nowMs() < this.#changedMs + quietMs)
      await this.#cluster.advance(Math.min(endMs, this.#changedMs + quietMs) - nowMs());
  }

  /** The normal forms of all compared objects; `also`: further paths, whose variables `filled` replaces. */
  async objects(also: readonly string[], filled: (path: string) => string): Promise<readonly RecordedObject[]> {
    const objects = [...(await this.#namespaced()), ...(await this.#clusterScoped())];
    for (const path of also) objects.push(...(await this.#objectsAt(path, filled(path))));
    for (const object of objects) this.#normal.learn(object);
    const counted = new Map<string, RecordedObject>();
    for (const object of objects) {
      const normal = {
        kind: object.kind,
        name: this.#normal.text(this.#normal.plainName(object)),
        object: this.#normal.object(plainObject(object)),
      };
      const key = sortedJson(normal);
      const { count = 0 } = counted.get(key) ?? {};
      counted.set(key, { count: count + 1, ...normal });
    }
    return [...counted.values()]
      .sort(byText(({ kind, name, object }) => `${kind}/${name}\u0000${sortedJson(object)}`))
      .map(({ count = 1, ...normal }) => (count > 1 ? { count, ...normal } : normal));
  }

  async #namespaced(): Promise<readonly KubeJson[]> {
    const lists = comparedKinds.map(async ({ kind, path }) => {
      const list = await this.#cluster.get(this.#cluster.product.rename(path(this.#namespace)));
      return objectsAt(list, 'items').map((item) => ({ ...item, kind }) as KubeJson);
    });
    const isInEveryNamespace = ({ kind, metadata: { name } }: KubeJson): boolean =>
      (kind === 'ConfigMap' && /^(kube-|svc-)?root-ca/.test(name)) || (kind === 'ServiceAccount' && name === 'default');
    return (await Promise.all(lists)).flat().filter((object) => !isInEveryNamespace(object));
  }

  async #clusterScoped(): Promise<readonly KubeJson[]> {
    const nodes = this.#scenario.showNodes ? (this.#scenario.nodes ?? []) : [];
    const existing = [...[...this.#created].filter((path) => !notCompared.test(path)), ...nodes.map(({ name }) => `/api/v1/nodes/${name}`)];
    const objects: KubeJson[] = [];
    for (const path of existing) {
      const { status, body } = await this.#cluster.call({ path });
      if (status === 200) objects.push(body as KubeJson);
    }
    return objects;
  }

  /** The objects at a path, which may be that of a list. The recorder names absent ones by the path of the scenario. */
  async #objectsAt(name: string, path: string): Promise<readonly KubeJson[]> {
    const { status, body } = await this.#cluster.call({ path });
    if (status !== 200) return [{ kind: 'Absent', metadata: { name }, status }];
    const items = valueAt(body, 'items');
    if (!items) return [body as KubeJson];
    return objectsAt(body, 'items').map((item) => ({ ...item, kind: textAt(body, 'kind').replace(/List$/, '') }) as KubeJson);
  }

  /** The normal forms of all events. */
  async events(): Promise<readonly RecordedEvent[]> {
    const own = objectsAt(await this.#cluster.get(`/api/v1/namespaces/${this.#namespace}/events`), 'items');
    const events = new Map<string, RecordedEvent>();
    for (const event of [...own, ...(await this.#nodeEvents())].map((item) => this.#toRecorded(item))) events.set(sortedJson(event), event);
    return [...events.values()].sort(byText(({ about, reason, message }) => sortedJson([about, reason, message])));
  }

  async #nodeEvents(): Promise<readonly JsonObject[]> {
    if (!this.#scenario.showNodes) return [];
    const names = (this.#scenario.nodes ?? []).map(({ name }) => name);
    const isShown = (event: Json): boolean =>
      textAt(event, 'involvedObject', 'kind') === 'Node' &&
      names.includes(textAt(event, 'involvedObject', 'name')) &&
      Number(textAt(event, 'metadata', 'resourceVersion')) > this.#startVersion;
    return objectsAt(await this.#cluster.get('/api/v1/namespaces/default/events'), 'items').filter(isShown);
  }

  #toRecorded(event: JsonObject): RecordedEvent {
    const action = textAt(event, 'action');
    const fieldPath = textAt(event, 'involvedObject', 'fieldPath');
    return {
      about: `${textAt(event, 'involvedObject', 'kind')}/${this.#normal.text(textAt(event, 'involvedObject', 'name'))}`,
      type: textAt(event, 'type'),
      reason: textAt(event, 'reason'),
      message: this.#normal.text(textAt(event, 'message')),
      by: textAt(event, 'reportingComponent') || textAt(event, 'source', 'component'),
      ...(action === '' ? {} : { action }),
      ...(fieldPath === '' ? {} : { fieldPath }),
    };
  }
}
