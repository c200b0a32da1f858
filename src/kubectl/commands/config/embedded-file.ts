import { bytesToBase64, type JsonObject } from '../../../meta/index.ts';
import type { Call } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';

/** Checks a file to embed (`--embed-certs`). @throws KubectlError */
export async function requireFile({ flags, path, shell }: Call, flag: string): Promise<void> {
  const named = flags.text(flag);
  if (named !== '' && !(await shell.files.read(path(named))))
    throw new KubectlError(`could not stat ${flag} file ${named}: stat ${named}: no such file or directory`);
}

/** The path of the file of a flag, or with `--embed-certs` its content; one replaces the other. */
export async function embeddedFile({ flags, path, shell }: Call, flag: string): Promise<JsonObject> {
  const file = path(flags.text(flag));
  if (!flags.bool('embed-certs')) return { [flag]: file, [`${flag}-data`]: '' };
  return { [flag]: '', [`${flag}-data`]: bytesToBase64((await shell.files.read(file)) ?? new Uint8Array()) };
}
