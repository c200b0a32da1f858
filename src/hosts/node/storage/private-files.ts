import { chmod, mkdir, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../../env/index.ts';

/** Windows has no modes: access control lists are inherited from the parent folder. */
export const hasModes: boolean = process.platform !== 'win32';

export const privateFileMode = 0o600;
const privateFolderMode = 0o700;

/** Mode bits of group and others. */
const groupAndOtherBits = 0o077;
const stickyBit = 0o1000;

export const isShared = (mode: number): boolean => hasModes && (mode & groupAndOtherBits) !== 0;

/** The folder cannot be made private. */
class SharedFolderError extends Error {
  override readonly name = 'SharedFolderError';
  readonly code = 'shared-folder';
}

/**
 * Creates the folder `path` if it is missing, and removes access of other users to it and to its files that match `isOwn`.
 * @throws SharedFolderError when it belongs to another user, or is shared like /tmp (sticky bit)
 */
export async function makePrivateFolder(path: string, isOwn: (name: string) => boolean, log: Log): Promise<void> {
  await mkdir(path, { recursive: true, mode: privateFolderMode });
  if (!hasModes) return;
  const { mode, uid } = await stat(path);
  const ownUid = process.getuid?.();
  if (uid !== ownUid) {
    throw new SharedFolderError(`${path} belongs to user ${uid}, but this process runs as user ${ownUid}: give it a folder of its own`);
  }
  if (mode & stickyBit) throw new SharedFolderError(`${path} is shared by all users: give the data a folder of their own in it`);
  const names = (await readdir(path)).filter(isOwn);
  const files = await Promise.all(names.map(async (name) => ({ path: join(path, name), mode: (await stat(join(path, name))).mode })));
  const shared = [{ path, mode }, ...files].filter((entry) => isShared(entry.mode));
  // The umask may have removed bits of a new folder.
  if ((mode & 0o777) !== privateFolderMode) await chmod(path, privateFolderMode);
  for (const entry of shared) if (entry.path !== path) await chmod(entry.path, privateFileMode);
  if (shared.length > 0) logSharedAccess(log, shared);
}

export function logSharedAccess(log: Log, shared: readonly { readonly path: string; readonly mode: number }[]): void {
  log.warn('other users had access to private files: it was withdrawn, but they may have read them', {
    paths: shared.map(({ path, mode }) => `${path} (${(mode & 0o777).toString(8)})`),
  });
}

/** Writes a file with mode 0600, independent of its previous mode and the umask. */
export async function writePrivateFile(path: string, text: string, log: Log): Promise<void> {
  const file = await open(path, 'a', privateFileMode);
  try {
    const found = await file.stat();
    // Pipes and terminals are not changed.
    if (found.isFile()) {
      const { mode, size } = found;
      if (hasModes && (mode & 0o777) !== privateFileMode) await file.chmod(privateFileMode);
      if (isShared(mode) && size > 0) logSharedAccess(log, [{ path, mode }]);
      // Truncated and written only after access of other users was removed.
      await file.truncate(0);
    }
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}
