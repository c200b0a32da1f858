import { msg, str } from '@lit/localize';
import { type Clusters, clusterApi, createClusters, mainClusterId } from '../../client/index.ts';
import type { JsonObject, ProductName } from '../../meta/index.ts';
import { createClient } from '../explore/api.ts';
import type { ConsoleOptions } from '../model/connection.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { createConsoleShell } from '../model/console-shell.ts';
import { homeDirectory } from '../model/identities.ts';
import { type KeyValueStore, lastUsedKey, openStore, workspaceStore } from '../model/key-value-store.ts';
import { printManifests } from './import-export.ts';
import { namesOfManifests } from './manifest-names.ts';
import { type NamedCluster, namedClustersKey, readNamedClusters } from './named-clusters.ts';
import { openNamedCluster } from './open-cluster.ts';
import { toServedVersions } from './served-objects.ts';
import type { SharedCluster } from './shared-cluster.ts';
import { type ClusterCopy, parseCopy, userObjects } from './user-objects.ts';

const sharedFile = 'shared.yaml';

/** Facts about a cluster in the list. */
export interface ClusterFacts {
  readonly objects: number;
  readonly bytes: number;
  readonly revision: number;
  /** Undefined for a cluster that was never opened. */
  readonly usedMs: number | undefined;
}

/** A new cluster. */
export interface NewCluster {
  readonly name: string;
  /** The API group names. Default: those of the host's default cluster. */
  readonly names?: ProductName | undefined;
}

/** The named clusters: the host's storage with the names of the users. */
export class ClusterList {
  readonly #options: ConsoleOptions;
  readonly #clusters: Clusters;
  readonly #store: Promise<KeyValueStore> = openStore();

  constructor(options: ConsoleOptions) {
    this.#options = options;
    this.#clusters = createClusters(options.connection.api);
  }

  async all(): Promise<readonly NamedCluster[]> {
    const ids = await this.#clusters.ids();
    return (await readNamedClusters(this.#options.names)).filter(({ id }) => ids.includes(id));
  }

  /** Creates a cluster, empty or from a copy. @throws Error when the host rejects the copy */
  async create({ name, names = this.#options.names }: NewCluster, copy?: string): Promise<NamedCluster> {
    const { random, clock } = this.#options.env;
    const made = { id: `c-${random.uuid().slice(0, 13)}`, name: name.trim() || msg('Cluster'), createdMs: clock.nowMs(), names };
    await this.#clusters.create(made.id, names, copy);
    await this.#write([...(await this.all()), made]);
    return made;
  }

  /** Creates a cluster from shared objects. Returns the failures of applying them. */
  async createFrom(shared: SharedCluster): Promise<{ readonly model: ConsoleModel; readonly failures: string }> {
    const text = await printManifests(shared.objects);
    const { name, names = namesOfManifests(text) } = shared;
    const model = await this.open(await this.create({ name, names }));
    for (const [path, text] of Object.entries(shared.files ?? {})) {
      if (path.startsWith('/')) await model.home.writeText(path, text);
    }
    return { model, failures: shared.objects.length === 0 ? '' : await this.#apply(model, `${homeDirectory}/${sharedFile}`, text) };
  }

  /** Creates a cluster, stores the manifests as a file in its home directory and applies them. */
  async createFromText(name: string, path: string, text: string): Promise<{ readonly model: ConsoleModel; readonly failures: string }> {
    const model = await this.open(await this.create({ name, names: namesOfManifests(text) }));
    return { model, failures: await this.#apply(model, path, text) };
  }

  async open(cluster: NamedCluster): Promise<ConsoleModel> {
    return openNamedCluster(this.#options, cluster);
  }

  /** Creates a cluster from a copy, with these files in its home directory. */
  async createFromCopy(made: NewCluster, copy: string, files: Readonly<Record<string, string>>): Promise<ConsoleModel> {
    const model = await this.open(await this.create(made, copy));
    for (const [path, text] of Object.entries(files)) await model.home.writeText(path, text);
    return model;
  }

  async rename({ id }: NamedCluster, name: string): Promise<void> {
    await this.#write((await this.all()).map((one) => (one.id === id ? { ...one, name: name.trim() || one.name } : one)));
  }

  async duplicate({ id, name, names }: NamedCluster): Promise<NamedCluster> {
    return this.create({ name: msg(str`${name} (copy)`), names }, await this.#clusters.copy(id));
  }

  /** Returns the function that undoes it. */
  async remove(cluster: NamedCluster): Promise<() => Promise<void>> {
    const copy = await this.#clusters.copy(cluster.id);
    await this.#clusters.remove(cluster.id);
    await this.#write((await this.all()).filter(({ id }) => id !== cluster.id));
    return async () => {
      await this.#clusters.create(cluster.id, cluster.names, copy);
      await this.#write([...(await this.all()), cluster]);
    };
  }

  /** The copy of a cluster. The default cluster has an empty id. */
  async copyOf(id: string): Promise<ClusterCopy> {
    return parseCopy(await this.#clusters.copy(id || mainClusterId));
  }

  /** The size of a cluster and the time of last use. */
  async facts(id: string): Promise<ClusterFacts> {
    const text = await this.#clusters.copy(id || mainClusterId);
    const { revision, entries } = parseCopy(text);
    const used = await workspaceStore(await this.#store, id).get(lastUsedKey);
    const objects = entries.filter(({ key }) => key.startsWith('/registry/')).length;
    return { objects, bytes: new Blob([text]).size, revision, usedMs: typeof used === 'number' ? used : undefined };
  }

  /** The user-created objects in the cluster of a console. */
  async objectsOf(model: ConsoleModel): Promise<readonly JsonObject[]> {
    const { id, names } = model.workspace;
    const fresh = parseCopy(await this.#clusters.copyOfFresh(names));
    return toServedVersions(createClient(model), userObjects(await this.copyOf(id), fresh));
  }

  /** Runs `kubectl apply` twice, since kinds and namespaces must exist before their objects. */
  async #apply(model: ConsoleModel, path: string, text: string): Promise<string> {
    const { env, connection } = this.#options;
    await model.home.writeText(path, text);
    const api = clusterApi(connection.api, model.workspace.id);
    const shell = createConsoleShell({
      env,
      product: model.product,
      home: model.home,
      api: () => api,
      internalApi: api,
      edit: async () => false,
      clear: () => undefined,
    });
    for (let tries = 0; ; tries++) {
      let stderr = '';
      const err = (text: string): void => {
        stderr += text;
      };
      const run = (line: string): Promise<number> => shell.run(line, { signal: new AbortController().signal, out: () => undefined, err });
      if ((await run(`kubectl apply -f ${path}`)) === 0) return '';
      if (tries > 0) return stderr;
      // Pods require the service account, which a controller creates.
      for (const namespace of namespacesIn(text))
        await run(`kubectl wait --for=create serviceaccount/default -n ${namespace} --timeout=5s`);
    }
  }

  async #write(clusters: readonly NamedCluster[]): Promise<void> {
    await (await this.#store).set(namedClustersKey, clusters);
  }
}

function namespacesIn(manifests: string): ReadonlySet<string> {
  const named = [...manifests.matchAll(/^\s+"?namespace"?: "?([a-z0-9-]+)/gm)].map(([, namespace = '']) => namespace);
  return new Set(['default', ...named]);
}
