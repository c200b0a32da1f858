import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { FileError, type FileSystem } from '../../../shell/index.ts';

/** The file system of this machine. */
export const nodeFiles: FileSystem = {
  async kind(path) {
    const found = await stat(path).catch(() => undefined);
    return found?.isDirectory() ? 'directory' : found ? 'file' : undefined;
  },
  async read(path) {
    const found = await stat(path).catch(() => undefined);
    return found && !found.isDirectory() ? new Uint8Array(await readFile(path)) : undefined;
  },
  async write(path, content) {
    // A kubeconfig may have credentials, so new files get mode 0600, as with kubectl.
    await writeFile(path, content, { mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
      throw new FileError(error.code === 'EISDIR' ? 'is-directory' : 'not-found', path);
    });
  },
  list: async (path) => (await readdir(path).catch(() => [])).sort(),
  async makeDirectory(path) {
    await mkdir(path, { recursive: true });
  },
  remove: (path) => rm(path, { recursive: true, force: true }),
};
