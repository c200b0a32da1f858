import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Env } from '../../env/index.ts';

/** Polling interval, for changes that the file system watcher does not report. */
const lookEveryMs = 60_000;

/** Calls `changed` when the content of a file has changed; the returned function stops it. Cf. upstream filesystem.WatchUntil. */
export function followFile(path: string, before: string, { clock, log }: Env, changed: (text: string) => Promise<void>): () => void {
  let last = before;
  let ended = false;
  let looking = false;
  let missed = false;
  const readOnce = async (): Promise<void> => {
    try {
      const text = await readFile(path, 'utf8');
      if (ended || text === last) return;
      last = text;
      await changed(text);
    } catch (error) {
      log.error('a configuration file cannot be read anew', { path, error });
    }
  };
  // One read at a time, since an older read that ends later would report stale content.
  const look = async (): Promise<void> => {
    missed = looking;
    if (looking) return;
    looking = true;
    do {
      missed = false;
      await readOnce();
    } while (missed && !ended);
    looking = false;
  };
  // Watches the folder, because editors and mounted ConfigMaps replace the file.
  const watcher = watch(dirname(path), { persistent: false }, () => void look());
  watcher.on('error', (error) => log.warn('a configuration file is no longer watched', { path, error }));
  let cancel = (): void => {};
  const again = (): void => {
    cancel = clock.schedule(lookEveryMs, () => {
      void look();
      again();
    });
  };
  again();
  return () => {
    ended = true;
    cancel();
    watcher.close();
  };
}
