import { readText } from '../../shell/index.ts';
import type { Call } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';

/** Reads a file or standard input as text. @throws KubectlError */
export async function readRawBody(call: Call, file: string): Promise<string> {
  if (file === '-') return readText(call.input);
  const content = await call.shell.files.read(call.path(file));
  if (!content) throw new KubectlError(`open ${file}: no such file or directory`);
  return new TextDecoder().decode(content);
}
