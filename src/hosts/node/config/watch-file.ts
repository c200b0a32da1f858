import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Env } from '../../../env/index.ts';

/** Polling interval, for changes that the file system watcher does not report. */
const pollIntervalMs = 60_000;

/** Calls `changed` when the content of a file has changed; the returned function stops it. Cf. upstream filesystem.WatchUntil. */
export function watchFile(path: string, initial: string, { clock, log }: Env, onChange: (text: string) => Promise<void>): () => void {
  let last = initial;
  let ended = false;
  let reading = false;
  let missed = false;
  const readOnce = async (): Promise<void> => {
    try {
      const text = await readFile(path, 'utf8');
      if (ended || text === last) return;
      last = text;
      await onChange(text);
    } catch (error) {
      log.error('a configuration file cannot be read anew', { path, error });
    }
  };
  // One read at a time, since an older read that ends later would report stale content.
  const readChanges = async (): Promise<void> => {
    missed = reading;
    if (reading) return;
    reading = true;
    do {
      missed = false;
      await readOnce();
    } while (missed && !ended);
    reading = false;
  };
  // Watches the folder, because editors and mounted ConfigMaps replace the file.
  const watcher = watch(dirname(path), { persistent: false }, () => void readChanges());
  watcher.on('error', (error) => log.warn('a configuration file is no longer watched', { path, error }));
  let cancel = (): void => {};
  const again = (): void => {
    cancel = clock.schedule(pollIntervalMs, () => {
      void readChanges();
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
