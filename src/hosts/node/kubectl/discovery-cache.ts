import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ApiResource } from '../../../kubectl/index.ts';

/** Discovered resources by server. */
type Known = Map<string, readonly ApiResource[]>;

interface Entry {
  readonly atMs: number;
  readonly resources: readonly ApiResource[];
}

/** TTL of kubectl's discovery cache. */
const cacheTtlMs = 6 * 60 * 60 * 1_000;

/**
 * Discovery results of earlier commands, cached on disk. As with kubectl, they are used by users without access to discovery, and may name
 * resources that are no longer served.
 */
export class DiscoveryCache {
  readonly known: Known = new Map();
  readonly #path: string;
  readonly #nowMs: () => number;
  #entries: Readonly<Record<string, Entry>> = {};

  private constructor(path: string, nowMs: () => number) {
    this.#path = path;
    this.#nowMs = nowMs;
  }

  static async open(path: string, nowMs: () => number): Promise<DiscoveryCache> {
    const cache = new DiscoveryCache(path, nowMs);
    cache.#entries = await readEntries(path);
    for (const [server, { atMs, resources }] of Object.entries(cache.#entries))
      if (nowMs() - atMs < cacheTtlMs) cache.known.set(server, resources);
    return cache;
  }

  /** Stores new results. Write errors are ignored: the next command repeats discovery. */
  async save(): Promise<void> {
    const found = [...this.known].filter(([server, resources]) => this.#entries[server]?.resources !== resources);
    if (found.length === 0) return;
    const added = found.map(([server, resources]): [string, Entry] => [server, { atMs: this.#nowMs(), resources }]);
    const text = JSON.stringify({ ...(await readEntries(this.#path)), ...Object.fromEntries(added) });
    // Written atomically, since another command may be reading.
    const draft = `${this.#path}.${process.pid}`;
    await mkdir(dirname(this.#path), { recursive: true })
      .then(() => writeFile(draft, text, { mode: 0o660 }))
      .then(() => rename(draft, this.#path))
      .catch(() => undefined);
  }
}

async function readEntries(path: string): Promise<Readonly<Record<string, Entry>>> {
  try {
    const entries: unknown = JSON.parse(await readFile(path, 'utf8'));
    return Object.fromEntries(Object.entries(entries ?? {}).filter((entry): entry is [string, Entry] => isEntry(entry[1])));
  } catch {
    // The file does not exist yet, or is damaged.
    return {};
  }
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'atMs' in value && 'resources' in value && Array.isArray(value.resources);
}
