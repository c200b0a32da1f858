import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Env } from '../../env/index.ts';

/** What the platform does not tell is seen by looking. */
const lookEveryMs = 60_000;

/** Tells the text of a file whenever it has become another; the returned function ends that. Cf. upstream filesystem.WatchUntil. */
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
  // One look at a time, since an older one that ends later would tell what is no more.
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
  // The folder is watched: editors and mounted configuration put a new file in the old one's place.
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
