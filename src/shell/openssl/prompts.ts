import type { Invocation } from '../context.ts';
import { CommandError } from '../errors.ts';
import { linesOf, type Source } from '../streams.ts';
import { readInput } from './files.ts';

/** Lines that the user types at the terminal; without one, those of standard input. */
export interface Prompter {
  /** Undefined at the end of the input. */
  readLine(question: string): Promise<string | undefined>;
  close(): void;
}

export async function openPrompter(call: Invocation): Promise<Prompter> {
  const session = await call.input.terminal?.open('lines');
  const close = (): void => session?.close();
  call.signal.addEventListener('abort', close);
  const lines = linesOf(session ? sourceOfChunks(session.input) : call.input);
  return {
    async readLine(question) {
      call.err(question);
      const { value, done } = await lines.next();
      call.signal.throwIfAborted();
      return done === true ? undefined : value;
    },
    close,
  };
}

function sourceOfChunks(chunks: AsyncIterable<Uint8Array>): Source {
  const iterator = chunks[Symbol.asyncIterator]();
  return {
    async read() {
      const { value, done } = await iterator.next();
      return done === true ? undefined : value;
    },
    unread() {},
    close() {},
  };
}

/** The passphrase of `pass:TEXT`, `env:NAME`, `file:PATH` or `stdin`. Cf. apps/lib/apps.c app_get_pass. @throws CommandError */
export async function readPassphrase(call: Invocation, source: string | undefined): Promise<string | undefined> {
  if (source === undefined) return undefined;
  const [, kind = '', value = ''] = /^(pass|env|file|stdin)(?::([\s\S]*))?$/.exec(source) ?? [];
  const firstLine = (content: Uint8Array | undefined): string | undefined => content && new TextDecoder().decode(content).split('\n', 1)[0];
  switch (kind) {
    case 'pass':
      return value;
    case 'env': {
      const variable = call.environment.get(value);
      if (variable === undefined) throw new CommandError(`No environment variable ${value}\nError getting passwords`);
      return variable;
    }
    case 'file': {
      const line = firstLine(await readInput(call, value));
      if (line === undefined) throw new CommandError(`Can't open file ${value}\nError getting passwords`);
      return line;
    }
    case 'stdin':
      return firstLine(await readInput(call, undefined)) ?? '';
    default:
      throw new CommandError("Invalid password argument, missing ':' within the first 5 chars\nError getting passwords");
  }
}

const minPassphrase = 4;

/** Prompts for a new passphrase, twice. @throws CommandError */
export async function promptNewPassphrase(call: Invocation): Promise<string> {
  const prompter = await openPrompter(call);
  try {
    const first = await prompter.readLine('Enter PEM pass phrase:');
    if (first === undefined || first.length < minPassphrase) throw new CommandError('');
    if ((await prompter.readLine('Verifying - Enter PEM pass phrase:')) !== first) throw new CommandError('Verify failure');
    return first;
  } finally {
    prompter.close();
  }
}

/** Prompts for the passphrase of a key. */
export async function promptPassphrase(call: Invocation, file: string): Promise<string> {
  const prompter = await openPrompter(call);
  const passphrase = await prompter.readLine(`Enter pass phrase for ${file}:`);
  prompter.close();
  return passphrase ?? '';
}
