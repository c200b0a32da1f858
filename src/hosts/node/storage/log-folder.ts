import { randomUUID } from 'node:crypto';
import { link, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../../env/index.ts';
import type { InPlaceFile, LogFile, LogFolder, ProcessTable } from '../../../storage/index.ts';
import { hasModes, makePrivateFolder, privateFileMode } from './private-files.ts';
import { checkLegacyLock, createProcessTable } from './process-table.ts';

/** Names of the files in a data folder, including temporary ones. */
const dataFileName = /^(lock|reserve|(log|snapshot|owner)-\d+(\.[\w.-]+)?)$/;

/** Opens the folder `path` for the file log, or creates it. @throws SharedFolderError */
export async function createLogFolder(path: string, log: Log, processes: ProcessTable = createProcessTable()): Promise<LogFolder> {
  await makePrivateFolder(path, (name) => dataFileName.test(name), log);
  const at = (name: string): string => join(path, name);
  await checkLegacyLock(at('lock'), processes);
  return {
    path,
    processes,
    list: () => readdir(path),
    read: (name) => readFile(at(name)),
    size: (name) =>
      stat(at(name)).then(
        ({ size }) => size,
        (error: unknown) => {
          if (isCode(error, 'ENOENT')) return undefined;
          throw error;
        },
      ),
    create: (name, bytes) => createFile(path, name, bytes),
    async open(name) {
      const file = await openPrivate(at(name), 'a');
      await syncFolder(path);
      return asLogFile(file);
    },
    async openInPlace(name) {
      return asInPlaceFile(await open(at(name), 'r+'));
    },
    async rename(from, to) {
      await rename(at(from), at(to));
      await syncFolder(path);
    },
    remove: (name) => rm(at(name), { force: true }),
  };
}

/** The bytes of the files in a data folder. */
export async function folderBytes({ list, size }: Pick<LogFolder, 'list' | 'size'>): Promise<number> {
  const sizes = await Promise.all((await list()).map(size));
  return sizes.reduce<number>((total, bytes = 0) => total + bytes, 0);
}

type FileHandle = Awaited<ReturnType<typeof open>>;

/** Opens a file with mode 0600, independent of the umask. */
async function openPrivate(path: string, flags: 'a' | 'wx'): Promise<FileHandle> {
  const file = await open(path, flags, privateFileMode);
  if (hasModes && ((await file.stat()).mode & 0o777) !== privateFileMode) await file.chmod(privateFileMode);
  return file;
}

/** Writes a draft and links it into place, so that no reader gets a partial file and only one of several processes succeeds. */
async function createFile(path: string, name: string, bytes: Uint8Array): Promise<boolean> {
  const draft = join(path, `${name}.${randomUUID()}`);
  try {
    const file = await openPrivate(draft, 'wx');
    try {
      await file.appendFile(bytes);
      await file.datasync();
    } finally {
      await file.close();
    }
    if (!(await tryLink(draft, join(path, name)))) return false;
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(path);
  return true;
}

async function tryLink(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    // ENOENT: another process has taken over the folder and removed the draft.
    if (isCode(error, 'EEXIST') || isCode(error, 'ENOENT')) return false;
    throw error;
  }
}

function asLogFile(file: FileHandle): LogFile {
  return {
    append: (bytes) => file.appendFile(bytes),
    sync: () => file.datasync(),
    truncate: (size) => file.truncate(size),
    close: () => file.close(),
  };
}

function asInPlaceFile(file: FileHandle): InPlaceFile {
  return {
    write: async (bytes) => {
      await file.write(bytes, 0, bytes.length, 0);
    },
    sync: () => file.datasync(),
    close: () => file.close(),
  };
}

/** fsync of the folder makes directory entries durable. Windows cannot open folders. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

const isCode = (error: unknown, code: string): boolean => error instanceof Error && 'code' in error && error.code === code;
