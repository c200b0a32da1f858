import { expect, test } from 'vitest';
import { clusterPath, freshClusterId } from '../../client/index.ts';
import { productByName } from '../../meta/index.ts';
import { ClusterRegistry } from './cluster-registry.ts';
import { LazyCluster } from './lazy-cluster.ts';
import type { RunningCluster } from './running-cluster.ts';

interface Fake {
  readonly send: (method: string, id: string) => Promise<{ readonly status: number; readonly body: unknown }>;
  /** Ids of the closed clusters. */
  readonly closed: string[];
}

/** A registry on a full disk: reads work, writes fail. */
function createFullRegistry(): Fake {
  const closed: string[] = [];
  const opened = async (name: string): Promise<RunningCluster> => ({
    handle: async () => ({ status: 200, headers: [], body: name }),
    persistence: 'saved',
    reason: '',
    onTrace: () => () => {},
    copy: async () => ({ revision: 1, entries: [] }),
    takenOver: new Promise(() => {}),
    deleted: new Promise(() => {}),
    close: async () => void closed.push(name),
  });
  const full = (): Promise<never> => Promise.reject(new Error('out of space'));
  const registry = new ClusterRegistry({
    main: new LazyCluster(() => opened('main')),
    stores: { ids: async () => [], open: full, openFresh: () => opened('fresh'), fill: full, remove: full },
    product: productByName('svc'),
    onTrace: () => {},
  });
  const send = (method: string, id: string): ReturnType<Fake['send']> =>
    registry.handle({
      method,
      target: clusterPath(id),
      headers: new Headers(),
      body: undefined,
      signal: new AbortController().signal,
    }) as ReturnType<Fake['send']>;
  return { send, closed };
}

test('copies a new cluster without room for another one, and closes it', async () => {
  const { send, closed } = createFullRegistry();
  expect(await send('GET', freshClusterId)).toMatchObject({ status: 200, body: expect.stringContaining('"revision":1') });
  expect(closed).toEqual(['fresh']);
});

test('rejects writes to and removal of a new cluster', async () => {
  const { send } = createFullRegistry();
  for (const method of ['PUT', 'DELETE']) expect((await send(method, freshClusterId)).status, method).toBe(405);
});
