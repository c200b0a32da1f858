import { readFile } from 'node:fs/promises';
import { FlagError } from './flag-error.ts';

/** Why the system refuses, in the words of Go. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  ENOTDIR: 'not a directory',
  EISDIR: 'is a directory',
};

/** A file that a flag names. @throws FlagError as the real server tells it */
export async function readNamedFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = systemReason(error);
    if (reason === undefined) throw error;
    throw new FlagError(`${reason === reasons['EISDIR'] ? 'read' : 'open'} ${path}: ${reason}`);
  }
}

/** Undefined: nothing that one expects of a system. */
export function systemReason(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? reasons[String(error.code)] : undefined;
}
