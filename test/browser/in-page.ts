/** Functions that tests call inside the page, bundled and injected as `globalThis.harness`. */
import { listAndWatch, type WatchEvent } from '../../src/client/index.ts';
import { createBrowserEnv } from '../../src/hosts/browser/index.ts';
import type { ApiResponse } from '../../src/meta/index.ts';

export interface HarnessResponse {
  readonly status: number;
  readonly text: string;
}

/** The state of a watched collection, and the events that its client received. */
export interface Watcher {
  /** Resource versions of the current objects by name: the list, updated by later events. */
  readonly state: Map<string, string>;
  /** `ADDED name version`, in order. */
  readonly events: string[];
  /** Number of list requests. */
  lists: number;
  /** Number of established watches. */
  watches: number;
  stop(): void;
}

const env = createBrowserEnv();

async function textOf(response: ApiResponse): Promise<string> {
  if (typeof response.body === 'string') return response.body;
  return new TextDecoder().decode(response.body as Uint8Array<ArrayBuffer> | undefined);
}

async function send(
  method: string,
  target: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<HarnessResponse> {
  const all = new Headers({
    authorization: 'Bearer admin-token',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  });
  const bytes = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body));
  const response = await globalThis.tabplane.api({ method, target, headers: all, body: bytes, signal: new AbortController().signal });
  return { status: response.status, text: await textOf(response) };
}

const metadataField = (object: WatchEvent['object'], field: string): string =>
  String((object['metadata'] as Record<string, unknown>)[field]);

function watch(path: string): Watcher {
  const stop = new AbortController();
  const watcher: Watcher = { state: new Map(), events: [], lists: 0, watches: 0, stop: () => stop.abort() };
  void listAndWatch(
    { api: globalThis.tabplane.api, clock: env.clock, path, headers: [['authorization', 'Bearer admin-token']] },
    {
      onListed(items) {
        watcher.lists++;
        watcher.state.clear();
        for (const item of items) watcher.state.set(metadataField(item, 'name'), metadataField(item, 'resourceVersion'));
      },
      onEvent({ type, object }) {
        const name = metadataField(object, 'name');
        watcher.events.push(`${type} ${name} ${metadataField(object, 'resourceVersion')}`);
        if (type === 'DELETED') watcher.state.delete(name);
        else watcher.state.set(name, metadataField(object, 'resourceVersion'));
      },
      onStateChange(state) {
        if (state === 'watching') watcher.watches++;
      },
    },
    stop.signal,
  );
  return watcher;
}

const harness = { env, send, watch, watchers: [] as Watcher[] };
export type Harness = typeof harness;
Object.assign(globalThis, { harness });
