import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogFile, LogFolder } from '../../storage/index.ts';

const lockName = 'lock';

/** The folder `path`, made when it is not there, as the file log needs it. */
export async function createLogFolder(path: string): Promise<LogFolder> {
  await mkdir(path, { recursive: true });
  const at = (name: string): string => join(path, name);
  return {
    lock: () => lockFolder(at),
    unlock: () => rm(at(lockName), { force: true }),
    list: () => readdir(path),
    read: (name) => readFile(at(name)),
    async open(name) {
      const file = await open(at(name), 'a');
      await syncFolder(path);
      return asLogFile(file);
    },
    async rename(from, to) {
      await rename(at(from), at(to));
      await syncFolder(path);
    },
    remove: (name) => rm(at(name)),
  };
}

type FileHandle = Awaited<ReturnType<typeof open>>;

function asLogFile(file: FileHandle): LogFile {
  return {
    append: (bytes) => file.appendFile(bytes),
    sync: () => file.datasync(),
    truncate: (size) => file.truncate(size),
    close: () => file.close(),
  };
}

/** A name is durable when its folder is. Windows cannot open folders, and does without. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Who holds a lock: process ids are used again, so the time the process started goes with it where it can be known. */
interface Holder {
  readonly pid: number;
  readonly started: string;
}

async function lockFolder(at: (name: string) => string): Promise<void> {
  const lock = at(lockName);
  const own = at(`${lockName}.${randomUUID()}`);
  // Written beside and linked into place, so that nobody reads a lock half written.
  await writeFile(own, JSON.stringify({ pid: process.pid, started: await startOf(process.pid) }));
  try {
    while (!(await linked(own, lock))) {
      const text = await readFile(lock, 'utf8').catch(() => undefined);
      const holder = text === undefined ? undefined : readHolder(text);
      if (holder && (await isAlive(holder))) {
        throw new Error(`process ${holder.pid} is using ${at('')}; if that is no longer so, remove ${lock}`);
      }
      if (text !== undefined) await clearStale(lock, text, at(`${lockName}.${randomUUID()}`));
    }
  } finally {
    await rm(own, { force: true });
  }
}

async function linked(own: string, lock: string): Promise<boolean> {
  try {
    await link(own, lock);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the lock that was read as `text`. Another process may have done so and locked anew: then its lock is put back. */
async function clearStale(lock: string, text: string, aside: string): Promise<void> {
  await rename(lock, aside).catch(() => {});
  const taken = await readFile(aside, 'utf8').catch(() => text);
  if (taken !== text) await linked(aside, lock);
  await rm(aside, { force: true });
}

function readHolder(text: string): Holder | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || !('pid' in parsed) || !('started' in parsed)) return undefined;
    const { pid, started } = parsed;
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : undefined;
  } catch {
    // No lock of ours was ever half written: this one was hurt, and whoever wrote it is unknown.
    return undefined;
  }
}

async function isAlive(holder: Holder): Promise<boolean> {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM: it lives, but under another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return holder.started === (await startOf(holder.pid));
}

/** When a process started (this boot, and the clock ticks since), where the system tells it as Linux does; else ''. */
async function startOf(pid: number): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The command, in parentheses, may hold spaces; the start time is the 20th field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return `${boot.trim()} ${fields[19] ?? ''}`;
  } catch {
    // Not this kind of system: the id alone must do.
    return '';
  }
}
