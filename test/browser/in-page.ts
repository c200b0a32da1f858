/** What tests do inside the page, bundled and put there as `globalThis.lab`. */
import { listAndWatch, type WatchEvent } from '../../src/client/index.ts';
import { createBrowserEnv } from '../../src/hosts/browser/index.ts';
import type { ApiResponse } from '../../src/meta/index.ts';

export interface Sent {
  readonly status: number;
  readonly text: string;
}

/** A watcher's view, and what its client was told. */
export interface Watcher {
  /** Names as they stand now, by the list and the events since. */
  readonly state: Map<string, string>;
  /** `ADDED name version`, in order. */
  readonly events: string[];
  /** How often it had to list. */
  lists: number;
  /** How often a watch was open. */
  watches: number;
  stop(): void;
}

const env = createBrowserEnv();

async function textOf(answer: ApiResponse): Promise<string> {
  if (typeof answer.body === 'string') return answer.body;
  return new TextDecoder().decode(answer.body as Uint8Array<ArrayBuffer> | undefined);
}

async function send(method: string, target: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Sent> {
  const all = new Headers({
    authorization: 'Bearer admin-token',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  });
  const bytes = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body));
  const answer = await globalThis.tabplane.api({ method, target, headers: all, body: bytes, signal: new AbortController().signal });
  return { status: answer.status, text: await textOf(answer) };
}

const partOf = (object: WatchEvent['object'], field: string): string => String((object['metadata'] as Record<string, unknown>)[field]);

function watch(path: string): Watcher {
  const stop = new AbortController();
  const watcher: Watcher = { state: new Map(), events: [], lists: 0, watches: 0, stop: () => stop.abort() };
  void listAndWatch(
    { api: globalThis.tabplane.api, clock: env.clock, path, headers: [['authorization', 'Bearer admin-token']] },
    {
      onListed(items) {
        watcher.lists++;
        watcher.state.clear();
        for (const item of items) watcher.state.set(partOf(item, 'name'), partOf(item, 'resourceVersion'));
      },
      onEvent({ type, object }) {
        const name = partOf(object, 'name');
        watcher.events.push(`${type} ${name} ${partOf(object, 'resourceVersion')}`);
        if (type === 'DELETED') watcher.state.delete(name);
        else watcher.state.set(name, partOf(object, 'resourceVersion'));
      },
      onStateChange(state) {
        if (state === 'watching') watcher.watches++;
      },
    },
    stop.signal,
  );
  return watcher;
}

const lab = { env, send, watch, watchers: [] as Watcher[] };
export type Lab = typeof lab;
Object.assign(globalThis, { lab });
