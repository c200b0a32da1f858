import { expect, test } from 'vitest';
import { clusterPath, freshClusterId } from '../../client/index.ts';
import { productNamed } from '../../meta/index.ts';
import { ClusterHolder } from './cluster-holder.ts';
import { ClusterHouse } from './cluster-house.ts';
import type { OpenedCluster } from './opened-cluster.ts';

interface Fake {
  readonly send: (method: string, id: string) => Promise<{ readonly status: number; readonly body: unknown }>;
  /** The names of the clusters that were closed. */
  readonly closed: string[];
}

/** A house on a disk that is full: nothing can be put on it, and what is there can be read. */
function createFullHouse(): Fake {
  const closed: string[] = [];
  const opened = async (name: string): Promise<OpenedCluster> => ({
    handle: async () => ({ status: 200, headers: [], body: name }),
    kept: 'saved',
    reason: '',
    onTrace: () => () => {},
    copy: async () => ({ revision: 1, entries: [] }),
    takenOver: new Promise(() => {}),
    deleted: new Promise(() => {}),
    close: async () => void closed.push(name),
  });
  const full = (): Promise<never> => Promise.reject(new Error('out of space'));
  const house = new ClusterHouse({
    main: new ClusterHolder(() => opened('main')),
    stores: { ids: async () => [], open: full, openFresh: () => opened('fresh'), fill: full, remove: full },
    product: productNamed('svc'),
    told: () => {},
  });
  const send = (method: string, id: string): ReturnType<Fake['send']> =>
    house.handle({
      method,
      target: clusterPath(id),
      headers: new Headers(),
      body: undefined,
      signal: new AbortController().signal,
    }) as ReturnType<Fake['send']>;
  return { send, closed };
}

test('what a new cluster has is read where there is no room for another one, and nothing of it stays open', async () => {
  const { send, closed } = createFullHouse();
  expect(await send('GET', freshClusterId)).toMatchObject({ status: 200, body: expect.stringContaining('"revision":1') });
  expect(closed).toEqual(['fresh']);
});

test('what a new cluster has can neither be put nor removed', async () => {
  const { send } = createFullHouse();
  for (const method of ['PUT', 'DELETE']) expect((await send(method, freshClusterId)).status, method).toBe(405);
});
