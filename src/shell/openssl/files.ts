import { concatBytes } from '../../meta/index.ts';
import { formatPem, pemBlocks } from '../../x509/index.ts';
import type { Invocation } from '../context.ts';
import { CommandError } from '../errors.ts';
import { FileError, fileMessages } from '../files.ts';
import { readAll } from '../streams.ts';

/** The content of a file, or of standard input; undefined: there is no such file. */
export async function readInput(call: Invocation, name: string | undefined): Promise<Uint8Array | undefined> {
  if (name === undefined || name === '-' || name === '/dev/stdin') return readAll(call.input);
  return call.shell.files.read(call.path(name));
}

/** The content of a file whose absence is reported as by BIO_new_file, followed by `consequence`. @throws CommandError */
export async function readInputFile(call: Invocation, name: string | undefined, consequence = ''): Promise<Uint8Array> {
  const content = await readInput(call, name);
  if (!content) throw new CommandError(`Can't open "${name}" for reading, No such file or directory${consequence}`);
  return content;
}

export const readTextFile = async (call: Invocation, name: string | undefined): Promise<string> =>
  new TextDecoder().decode(await readInputFile(call, name));

/** The bytes of the first block of one of the types; of a file that is no PEM, all of them. */
export function decodeFile(content: Uint8Array, types: readonly string[]): Uint8Array | undefined {
  if (isDer(content)) return content;
  return pemBlocks(new TextDecoder().decode(content)).find(({ type }) => types.includes(type))?.bytes;
}

/** Whether the content starts as a sequence in DER, and not as a text. */
export const isDer = (content: Uint8Array): boolean => content[0] === 0x30 && (content[1] ?? 0) >= 0x80;

/** Writes a file, or standard output without a name. @throws CommandError */
export async function writeOutput(call: Invocation, name: string | undefined, content: string | Uint8Array, prefix = ''): Promise<void> {
  if (name === undefined || name === '-') {
    call.out(content);
    return;
  }
  try {
    if (name !== '/dev/null')
      await call.shell.files.write(call.path(name), typeof content === 'string' ? new TextEncoder().encode(content) : content);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new CommandError(`${prefix}Can't open "${name}" for writing, ${fileMessages[error.code]}`);
  }
}

/** An object in the format of the option `-outform`. */
export const encodeOutput = (type: string, der: Uint8Array, form = 'PEM'): string | Uint8Array =>
  /^d/i.test(form) ? der : formatPem(type, der);

/** The content of several outputs, in order. */
export const joinOutputs = (outputs: readonly (string | Uint8Array)[]): Uint8Array =>
  concatBytes(outputs.map((output) => (typeof output === 'string' ? new TextEncoder().encode(output) : output)));
