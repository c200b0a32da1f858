import { expect, test } from 'vitest';
import { clusterPath, freshClusterId } from '../../client/index.ts';
import { type ApiResponse, type ProductName, productByName } from '../../meta/index.ts';
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
    stores: { namesById: async () => new Map(), open: full, openFresh: () => opened('fresh'), fill: full, remove: full },
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

/** A registry with clusters in memory. */
function createRegistry(): {
  readonly send: (method: string, target: string) => Promise<Pick<ApiResponse, 'status' | 'body'>>;
  readonly opened: string[];
} {
  const opened: string[] = [];
  const names = new Map<string, ProductName>();
  const open = async (name: string): Promise<RunningCluster> => {
    opened.push(name);
    return {
      handle: async () => ({ status: 200, headers: [], body: name }),
      persistence: 'memory',
      reason: '',
      onTrace: () => () => {},
      copy: async () => ({ revision: 1, entries: [] }),
      takenOver: new Promise(() => {}),
      deleted: new Promise(() => {}),
      close: async () => undefined,
    };
  };
  const registry = new ClusterRegistry({
    main: new LazyCluster(() => open('main')),
    stores: {
      namesById: async () => names,
      open: (id, as) => open(`${id} ${as}`),
      openFresh: (as) => open(`fresh ${as}`),
      fill: async (id, as) => void names.set(id, as),
      remove: async (id) => void names.delete(id),
    },
    product: productByName('svc'),
    onTrace: () => {},
  });
  const send = (method: string, target: string): Promise<ApiResponse> =>
    registry.handle({ method, target, headers: new Headers(), body: undefined, signal: new AbortController().signal });
  return { send, opened };
}

test('opens each cluster with the names that it was created with', async () => {
  const { send, opened } = createRegistry();
  for (const target of ['/~clusters/a', '/~clusters/b?names=kubernetes', '/~clusters/c?names=svc']) {
    expect((await send('PUT', target)).status, target).toBe(201);
  }
  expect(JSON.parse(String((await send('GET', '/~clusters')).body))).toEqual({
    clusters: ['a', 'b', 'c'],
    names: { a: 'svc', b: 'kubernetes', c: 'svc' },
  });
  expect((await send('GET', '/~clusters/b/api')).body).toBe('b kubernetes');
  await send('GET', '/~clusters/fresh?names=kubernetes');
  await send('GET', '/~clusters/fresh');
  // A replaced cluster retains its names.
  await send('PUT', '/~clusters/b');
  expect(opened).toEqual(['a svc', 'b kubernetes', 'c svc', 'fresh kubernetes', 'fresh svc', 'b kubernetes']);
});

test('rejects unknown names', async () => {
  const { send } = createRegistry();
  expect((await send('PUT', '/~clusters/a?names=other')).status).toBe(404);
});
