/** The previous instance of the worker: its id, and the attempts that it answered. */
export interface EarlierInstance {
  readonly instance: string;
  readonly answered: ReadonlySet<string>;
}

/** Durable record of the attempts that an instance of the worker has answered, for the next instance. */
export interface AnsweredAttempts {
  /** Reads and deletes the record of the previous instance. Undefined without one, or when the browser refuses storage. */
  begin(instance: string): Promise<EarlierInstance | undefined>;
  /**
   * Must be called right before the response is sent. It does not wait: the write reaches the browser process before the response does,
   * and completes even if the worker is stopped then. If the write fails, the record of this instance is deleted.
   */
  record(attemptId: string, nowMs: number): void;
}

/** Longer than the time in which an attempt counts as a repetition (FetchAttempts); older records are removed. */
const retentionMs = 60_000;

/** The key of an entry is the URL of a request, which is never sent. */
const entryBase = 'https://attempts.invalid/';

/**
 * In the Cache API: a cache `<prefix><instance>` per instance, created before its first write, with an empty response per answered
 * attempt. Not in IndexedDB, which aborts the transactions of a worker that is stopped: measured in Chromium 156, it lost the record of
 * nearly one answer per stop, the Cache API none in 300 stops.
 */
export function createAnsweredAttempts(caches: CacheStorage, prefix: string): AnsweredAttempts {
  let name = '';
  let cache: Cache | undefined;
  const recorded = new Map<string, number>();
  /** Without a complete record, no commit of this instance may count as unanswered. */
  const deleteRecord = (): void => {
    cache = undefined;
    // The browser has deleted the cache itself when it refuses to.
    caches.delete(name).catch(() => {});
  };
  return {
    async begin(instance) {
      try {
        // In order of creation.
        const earlierNames = (await caches.keys()).filter((name) => name.startsWith(prefix));
        const last = earlierNames.at(-1);
        const earlier =
          last === undefined ? undefined : { instance: last.slice(prefix.length), answered: await idsIn(await caches.open(last)) };
        name = prefix + instance;
        cache = await caches.open(name);
        await Promise.all(earlierNames.map((name) => caches.delete(name)));
        return earlier;
      } catch {
        // Refused, full or damaged: repetitions are served like other requests.
        deleteRecord();
        return undefined;
      }
    },
    record(attemptId, nowMs) {
      if (!cache) return;
      const writes: Promise<unknown>[] = [cache.put(urlOf(attemptId), new Response(null))];
      for (const [id, ms] of recorded) {
        if (ms >= nowMs - retentionMs) break;
        recorded.delete(id);
        writes.push(cache.delete(urlOf(id)));
      }
      recorded.set(attemptId, nowMs);
      Promise.all(writes).catch(deleteRecord);
    },
  };
}

async function idsIn(cache: Cache): Promise<ReadonlySet<string>> {
  const requests = await cache.keys();
  return new Set(requests.map(({ url }) => decodeURIComponent(url.slice(entryBase.length))));
}

function urlOf(attemptId: string): string {
  return entryBase + encodeURIComponent(attemptId);
}
