import { ApiClient, cacheKeyOf, EventsRecorder, Indexer, type KubeObject } from '../../client/index.ts';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../env/index.ts';
import { productByName } from '../../meta/index.ts';
import type { ApiResource, corev1 } from '../../schema/api/index.ts';
import { CycleState } from '../framework/cycle-state.ts';
import { Framework } from '../framework/framework.ts';
import type { Handle, PluginFactory, Snapshot } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { NominatedPods } from '../queue/nominated-pods.ts';

/** A handle without an API, whose caches have the given objects by resource. */
export function testHandle(snapshot: Snapshot, objects: Readonly<Record<string, readonly KubeObject[]>> = {}): Handle {
  const product = productByName('kubernetes');
  const { signal } = new AbortController();
  const client = new ApiClient({ api: () => Promise.reject(new Error('there is no API')), product, signal });
  const clock = createManualClock();
  const log = createMemoryLog();
  return {
    client,
    store<T extends KubeObject>({ resource }: ApiResource<T>) {
      const store = new Indexer<T>();
      for (const object of objects[resource] ?? []) store.set(cacheKeyOf(object), object as T);
      return store;
    },
    clock,
    log,
    random: createSeededRandom(1),
    product,
    signal,
    snapshot,
    nominator: new NominatedPods(),
    waiting: { reject: () => false },
    recorder: new EventsRecorder({ client, clock, log, controller: 'test', instance: 'test', signal }),
    namespaceLabels: () => ({}),
    activate: () => undefined,
    pods: new Indexer<corev1.Pod>(),
    deviceTaints: false,
    loadDeviceSelectors: () => Promise.resolve(() => () => true),
    simulation: () => {
      throw new Error('there is no simulation');
    },
  };
}

/** The framework of one plugin. */
export function testFramework(create: PluginFactory, handle: Handle, args?: unknown): Framework {
  const plugin = create(handle, args);
  return new Framework(
    { schedulerName: 'default-scheduler', plugins: [plugin], weights: new Map([[plugin.name, 1]]), percentageOfNodesToScore: undefined },
    handle.nominator,
  );
}

/** The reasons of a plugin by node: `fits`, or the code and the reasons. */
export function filterAll(framework: Framework, handle: Handle, pod: PodInfo): Readonly<Record<string, string>> {
  const state = new CycleState();
  const nodes = handle.snapshot.list();
  const { status } = framework.preFilter(state, pod, nodes);
  if (status) return Object.fromEntries(nodes.map(({ name }) => [name, `${status.code}: ${status.reasons.join(', ')}`]));
  const filter = framework.nodeFilter(state, pod);
  return Object.fromEntries(
    nodes.map((node) => {
      const refusal = filter(node);
      return [node.name, refusal ? `${refusal.code}: ${refusal.reasons.join(', ')}` : 'fits'];
    }),
  );
}

/** The scores by node. */
export function scoreAll(framework: Framework, handle: Handle, pod: PodInfo): Readonly<Record<string, number>> {
  const state = new CycleState();
  const nodes = handle.snapshot.list();
  framework.preFilter(state, pod, nodes);
  const table = framework.score(state, pod, nodes);
  if ('code' in table) throw new Error(table.reasons.join(', '));
  return Object.fromEntries(nodes.map(({ name }, index) => [name, table.totals[index] ?? 0]));
}
