import { msg } from '@lit/localize';
import { createClusters } from '../../client/index.ts';
import { isProductName, type ProductName } from '../../meta/index.ts';
import type { ConsoleOptions } from '../model/connection.ts';
import { ConsoleModel, sampleFiles } from '../model/console-model.ts';
import { openStore } from '../model/key-value-store.ts';
import { type NamedCluster, namedClustersKey, readNamedClusters } from './named-clusters.ts';

/**
 * Opens the console of a cluster by its id: the default one (empty), the one that is ready for the names of the other product (the names are
 * its id), a named one or that of a lesson. Undefined when this browser has no such cluster.
 */
export async function openClusterModel(options: ConsoleOptions, id: string): Promise<ConsoleModel | undefined> {
  if (id === '' || id === options.names) return ConsoleModel.open(options);
  const named = (await readNamedClusters(options.names)).find((cluster) => cluster.id === id);
  if (isProductName(id)) return openReadyCluster(options, named ?? readyCluster(options, id));
  if (named !== undefined) return openNamedCluster(options, named);
  if (!id.startsWith('lesson-')) return undefined;
  const { findLessonWorkspace } = await import('../learn/lesson-workspace.ts');
  const workspace = await findLessonWorkspace(options, id);
  return workspace && ConsoleModel.open(options, workspace);
}

export function openNamedCluster(options: ConsoleOptions, { id, name, names }: NamedCluster, ready?: Promise<void>): Promise<ConsoleModel> {
  return ConsoleModel.open(options, { id, kind: 'named', name, names, files: () => sampleFiles(names), ...(ready ? { ready } : {}) });
}

/** The cluster with the other names, which every browser has from the first visit. It is created when it is first opened. */
export function readyCluster({ env }: ConsoleOptions, names: ProductName): NamedCluster {
  const name = names === 'kubernetes' ? msg('Kubernetes cluster') : msg('svc cluster');
  return { id: names, name, names, createdMs: env.clock.nowMs() };
}

function openReadyCluster(options: ConsoleOptions, cluster: NamedCluster): Promise<ConsoleModel> {
  return openNamedCluster(
    options,
    cluster,
    oneAtATime(`create ${cluster.id}`, () => createIfMissing(options, cluster)),
  );
}

async function createIfMissing({ connection, names }: ConsoleOptions, cluster: NamedCluster): Promise<void> {
  const clusters = createClusters(connection.api);
  if ((await clusters.ids()).includes(cluster.id)) return;
  await clusters.create(cluster.id, cluster.names);
  const known = (await readNamedClusters(names)).filter(({ id }) => id !== cluster.id);
  await (await openStore()).set(namedClustersKey, [cluster, ...known]);
}

/** Serializes the work of all tabs: creating a cluster twice would empty it. */
async function oneAtATime(name: string, work: () => Promise<void>): Promise<void> {
  // Undefined in insecure contexts, and refused in sandboxes, whose clusters belong to one page.
  const locks = navigator.locks as LockManager | undefined;
  const run = { started: false };
  const start = (): Promise<void> => {
    run.started = true;
    return work();
  };
  try {
    await (locks === undefined ? start() : locks.request(`tabplane ${name}`, start));
  } catch (error) {
    if (run.started) throw error;
    await start();
  }
}
