import { readText } from '../../shell/index.ts';
import type { Call } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import { sendRaw } from './get/raw.ts';

/** Sends the only file, or standard input, to the path of `--raw` and prints the response. @throws KubectlError, StatusError */
export async function sendRawBody(call: Call, method: 'POST' | 'PUT'): Promise<number> {
  requireRawFile(call);
  requireRawPath(call);
  const [file = ''] = call.flags.list('filename');
  await sendRaw(call, method, call.flags.text('raw'), await readRawBody(call, file), call.out);
  return 0;
}

/** @throws KubectlError */
export function requireRawFile(call: Call): void {
  if (call.flags.list('filename').length !== 1) throw new KubectlError('--raw can only use a single local file or stdin');
  requireLocalFile(call);
}

/** @throws KubectlError */
export function requireLocalFile({ flags }: Call): void {
  if (flags.list('filename').some((file) => /^https?:\/\//.test(file))) throw new KubectlError('--raw cannot read from a url');
  if (flags.bool('recursive')) throw new KubectlError('--raw and --recursive are mutually exclusive');
}

/** @throws KubectlError */
export function requireRawPath({ flags }: Call): void {
  if (flags.text('output') !== '') throw new KubectlError('--raw and --output are mutually exclusive');
  const path = flags.text('raw');
  if (!path.startsWith('/'))
    throw new KubectlError(`--raw must be a valid URL path: parse ${JSON.stringify(path)}: invalid URI for request`);
}

/** Reads a file or standard input as text. @throws KubectlError */
export async function readRawBody(call: Call, file: string): Promise<string> {
  if (file === '-') return readText(call.input);
  const content = await call.shell.files.read(call.path(file));
  if (!content) throw new KubectlError(`open ${file}: no such file or directory`);
  return new TextDecoder().decode(content);
}
