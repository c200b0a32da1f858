import { randomUUID } from 'node:crypto';
import { link, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../env/index.ts';
import type { InPlaceFile, LogFile, LogFolder, ProcessTable } from '../../storage/index.ts';
import { hasModes, makePrivateFolder, privateFileMode } from './private-files.ts';
import { createProcessTable, readLegacyLock } from './process-table.ts';

/** The names of files that a data folder has, with those that are only there for a moment. */
const ownName = /^(lock|reserve|(log|snapshot|owner)-\d+(\.[\w.-]+)?)$/;

/** The folder `path`, made when it is missing, as the file log needs it. @throws SharedFolderError */
export async function createLogFolder(path: string, log: Log, processes: ProcessTable = createProcessTable()): Promise<LogFolder> {
  await makePrivateFolder(path, (name) => ownName.test(name), log);
  const at = (name: string): string => join(path, name);
  await readLegacyLock(at('lock'), processes);
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

type FileHandle = Awaited<ReturnType<typeof open>>;

/** Whatever the umask takes away, its owner can read and write it. */
async function openPrivate(path: string, flags: 'a' | 'wx'): Promise<FileHandle> {
  const file = await open(path, flags, privateFileMode);
  if (hasModes && ((await file.stat()).mode & 0o777) !== privateFileMode) await file.chmod(privateFileMode);
  return file;
}

/** Written beside and linked into place, so that nobody reads a part of it and of several processes one succeeds. */
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
    if (!(await linked(draft, join(path, name)))) return false;
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(path);
  return true;
}

async function linked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    // ENOENT: another process has taken the folder over and removed the draft.
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

const isCode = (error: unknown, code: string): boolean => error instanceof Error && 'code' in error && error.code === code;
