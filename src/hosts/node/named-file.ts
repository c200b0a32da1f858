import { readFile } from 'node:fs/promises';
import { FlagError } from './flag-error.ts';

/** Why the system refuses, in the words of Go. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  ENOTDIR: 'not a directory',
};

/** A file that a flag names. @throws FlagError as the real server tells it */
export async function readNamedFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'EISDIR') throw new FlagError(`read ${path}: is a directory`);
    const reason = reasons[code];
    if (reason === undefined) throw error;
    throw new FlagError(`open ${path}: ${reason}`);
  }
}
