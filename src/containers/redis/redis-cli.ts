import { NetworkError } from '../../network/index.ts';
import { type Invocation, linesOf } from '../../shell/index.ts';
import { lookUpHost } from '../network/host-names.ts';
import type { Applet } from '../process/applet.ts';
import { Tty } from '../process/tty.ts';
import { parseOptions } from '../programs/options.ts';
import { bytesOf, ErrorReply, formatReply, type Reply, RespReader, SimpleString, stringOf } from './resp.ts';
import { redisVersion } from './version.ts';

/** Options with a value that are not used. */
const valueOptions = ['h', 'p', 'a', 'n', 'u', 'r', 'i', 'pass', 'user'];

/** The options end with the first word of the command, which may have options of its own. */
function splitArguments(args: readonly string[]): readonly [options: readonly string[], command: readonly string[]] {
  let at = 0;
  while (at < args.length && args[at]?.startsWith('-') === true) {
    const name = args[at]?.replace(/^--?/, '') ?? '';
    at += valueOptions.includes(name) ? 2 : 1;
  }
  return [args.slice(0, at), args.slice(at)];
}

/** `redis-cli [-h HOST] [-p PORT] [-a PASSWORD] [-n DB] [COMMAND…]`; without a command it reads commands from the input. */
export const redisCli: Applet = async (invocation, process) => {
  const [optionWords, command] = splitArguments(invocation.args);
  const { flags, values } = parseOptions(optionWords, valueOptions);
  if (flags.has('v') || flags.has('version')) {
    invocation.out(`redis-cli ${redisVersion}\n`);
    return 0;
  }
  const url = values.get('u') === undefined ? undefined : new URL(values.get('u') ?? '');
  const host = url?.hostname ?? values.get('h') ?? '127.0.0.1';
  const port = Number(url?.port || (values.get('p') ?? 6379));
  const given = url?.password || values.get('a') || values.get('pass');
  const password = given ?? invocation.environment.get('REDISCLI_AUTH');
  const isTty = invocation.input instanceof Tty && !flags.has('raw');
  const fail = (reason: string): number => {
    invocation.err(`Could not connect to Redis at ${host}:${port}: ${reason}\n`);
    return 1;
  };
  const [address] = await lookUpHost(host, process);
  if (address === undefined) return fail('Name or service not known');
  const { network } = process.container.listeners;
  if (!network) return fail('Network is unreachable');
  try {
    const connection = await network.connect({ address, port }, { signal: invocation.signal });
    const reader = new RespReader(connection.source);
    const call = async (words: readonly string[]): Promise<Reply | undefined> => {
      await connection.sink.write(bytesOf(formatReply(words.map((word) => stringOf(new TextEncoder().encode(word))))));
      return reader.reply();
    };
    const show = (reply: Reply): void => invocation.out(bytesOf(isTty ? formatForTty(reply) : formatRaw(reply)));
    if (password !== undefined) {
      if (given !== undefined && !flags.has('no-auth-warning'))
        invocation.err("Warning: Using a password with '-a' or '-u' option on the command line interface may not be safe.\n");
      const reply = await call(['AUTH', password]);
      if (reply instanceof ErrorReply) invocation.err(`AUTH failed: ${reply.text}\n`);
    }
    if (values.has('n')) await call(['SELECT', values.get('n') ?? '0']);
    const session = { invocation, show, call, next: () => reader.reply() };
    if (command.length > 0) await runCommand(command, session);
    else await runLines(session, isTty ? `${host}:${port}> ` : '');
    await connection.sink.close();
    // The real client, too, ends with 0 after an error of the server.
    return 0;
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    return fail(error.code === 'ETIMEDOUT' ? 'Connection timed out' : error.code === 'ECONNREFUSED' ? 'Connection refused' : error.message);
  }
};

interface Session {
  readonly invocation: Invocation;
  show(reply: Reply): void;
  call(words: readonly string[]): Promise<Reply | undefined>;
  next(): Promise<Reply | undefined>;
}

async function runCommand(words: readonly string[], { invocation, show, call, next }: Session): Promise<void> {
  const reply = await call(words);
  // As after SHUTDOWN.
  if (reply === undefined) return;
  show(reply);
  if (/^p?subscribe$/i.test(words[0] ?? ''))
    for (let message = await next(); message !== undefined && !invocation.signal.aborted; message = await next()) show(message);
}

/** The words of a line; with quotes for spaces. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) =>
    double === undefined ? (single ?? plain ?? '') : double.replace(/\\(.)/g, '$1'),
  );

async function runLines(session: Session, prompt: string): Promise<void> {
  const { invocation } = session;
  invocation.out(prompt);
  for await (const line of linesOf(invocation.input)) {
    const words = wordsOf(line);
    if (/^(?:exit|quit)$/i.test(words[0] ?? '')) return;
    if (words.length > 0) await runCommand(words, session);
    invocation.out(prompt);
  }
}

/** Without a terminal: texts as they are, one per line. */
function formatRaw(reply: Reply): string {
  if (reply === null) return '\n';
  if (reply instanceof SimpleString || reply instanceof ErrorReply) return `${reply.text}\n${reply instanceof ErrorReply ? '\n' : ''}`;
  if (typeof reply === 'string' || typeof reply === 'number') return `${reply}\n`;
  return reply.length === 0 ? '\n' : reply.map(formatRaw).join('');
}

function formatForTty(reply: Reply, indent = ''): string {
  if (reply === null) return '(nil)\n';
  if (typeof reply === 'number') return `(integer) ${reply}\n`;
  if (typeof reply === 'string') return `${quote(reply)}\n`;
  if (reply instanceof SimpleString) return `${reply.text}\n`;
  if (reply instanceof ErrorReply) return `(error) ${reply.text}\n`;
  if (reply.length === 0) return '(empty array)\n';
  const width = String(reply.length).length;
  return reply
    .map((one, at) => {
      const number = `${String(at + 1).padStart(width)}) `;
      return `${at === 0 ? '' : indent}${number}${formatForTty(one, indent + ' '.repeat(number.length))}`;
    })
    .join('');
}

function quote(text: string): string {
  const escapes: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  const shown = [...text].map(
    (char) => escapes[char] ?? (/[ -~]/.test(char) ? char : `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`),
  );
  return `"${shown.join('')}"`;
}
