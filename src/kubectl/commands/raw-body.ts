import { readText } from '../../shell/index.ts';
import type { Call } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import { sendRaw } from './get/raw.ts';

/** Sends the only file, or standard input, to the path of `--raw` and prints the response. @throws KubectlError, StatusError */
export async function sendRawBody(call: Call, method: 'POST' | 'PUT'): Promise<number> {
  const [file = '', ...others] = call.flags.list('filename');
  if (file === '' || others.length > 0) throw new KubectlError('--raw can only use a single local file or stdin');
  requireRawFlags(call);
  await sendRaw(call, method, call.flags.text('raw'), await readRawBody(call, file), call.out);
  return 0;
}

/** Checks the flags of a raw request that changes an object. @throws KubectlError */
export function requireRawFlags({ flags }: Call): void {
  if (flags.list('filename').some((file) => /^https?:\/\//.test(file))) throw new KubectlError('--raw cannot read from a url');
  if (flags.bool('recursive')) throw new KubectlError('--raw and --recursive are mutually exclusive');
  if (flags.text('selector') !== '') throw new KubectlError('--raw and --selector (-l) are mutually exclusive');
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
