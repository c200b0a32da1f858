import { readFile } from 'node:fs/promises';
import { FlagError } from '../flags/flag-error.ts';

/** Go's messages of system errors. */
const goMessages: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  ENOTDIR: 'not a directory',
  EISDIR: 'is a directory',
  ECONNREFUSED: 'connection refused',
};

/** Reads the file of a flag; `describe` completes the real server's message of an error. @throws FlagError */
export async function readNamedFile(path: string, describe: (why: string) => string = (why) => why): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = systemErrorMessage(error);
    if (reason === undefined) throw error;
    throw new FlagError(describe(`${reason === goMessages['EISDIR'] ? 'read' : 'open'} ${path}: ${reason}`));
  }
}

/** Go's message of a system error; undefined for other errors. */
export function systemErrorMessage(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? goMessages[String(error.code)] : undefined;
}
