import { readFile, readlink, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { KeySpaceError, type ProcessIdentity, type ProcessTable } from '../../../storage/index.ts';

/** Observes the processes of the same boot and PID namespace. */
export function createProcessTable(): ProcessTable {
  const scope = readScope();
  return {
    self: async () => ({ pid: process.pid, scope: await scope, started: await startOf(process.pid), host: hostname() }),
    stateOf: async (mark) => (mark.scope === (await scope) ? stateOf(mark) : 'unknown'),
  };
}

async function stateOf({ pid, started }: Pick<ProcessIdentity, 'pid' | 'started'>): Promise<'alive' | 'dead' | 'unknown'> {
  if (!isRunning(pid)) return 'dead';
  const startedNow = await startOf(pid);
  // Only the start time reveals that a process id was reused.
  if (started === '' || startedNow === '') return 'unknown';
  return started === startedNow ? 'alive' : 'dead';
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, but under another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The scope of process ids: boot id and PID namespace on Linux, elsewhere the host name. */
async function readScope(): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`;
  } catch {
    return `${process.platform} ${hostname()}`;
  }
}

/** Start time of a process in clock ticks since the boot; '' except on Linux. */
async function startOf(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The command, in parentheses, may have spaces; the start time is the 20th field after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/**
 * Versions before format 2 of the log used a file `lock` instead of owner records: `{"pid":4711,"started":"<boot id> <ticks>"}`.
 * Removes the lock of a dead process. @throws KeySpaceError `unavailable` when the process is running
 */
export async function checkLegacyLock(path: string, processes: ProcessTable): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const lock = parseLegacyLock(text);
  if (lock) {
    const { scope } = await processes.self();
    const [boot = '', started = ''] = lock.started.split(' ');
    const state = lock.started === '' || scope.startsWith(boot) ? await processes.stateOf({ ...lock, started, scope, host: '' }) : 'dead';
    if (state !== 'dead')
      throw new KeySpaceError(
        'unavailable',
        `process ${lock.pid}, of an older version, is using the folder; if that is no longer so, remove ${path}`,
      );
  }
  await rm(path, { force: true });
}

function parseLegacyLock(text: string): { readonly pid: number; readonly started: string } | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || !('pid' in parsed) || !('started' in parsed)) return undefined;
    const { pid, started } = parsed;
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : undefined;
  } catch {
    // Locks were written atomically, so this one is damaged, and its owner is unknown.
    return undefined;
  }
}
