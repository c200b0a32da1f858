import { type Connection, NetworkError } from '../../network/index.ts';
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

interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** Of the command line. */
  readonly password: string | undefined;
}

function endpointOf(values: ReadonlyMap<string, string>): Endpoint {
  const address = values.get('u');
  const url = address === undefined ? undefined : new URL(address);
  return {
    host: url?.hostname ?? values.get('h') ?? '127.0.0.1',
    port: Number(url?.port || (values.get('p') ?? 6379)),
    password: url?.password || values.get('a') || values.get('pass'),
  };
}

const connectProblems: Readonly<Record<string, string>> = { ETIMEDOUT: 'Connection timed out', ECONNREFUSED: 'Connection refused' };

/** `redis-cli [-h HOST] [-p PORT] [-a PASSWORD] [-n DB] [COMMAND…]`; without a command it reads commands from the input. */
export const redisCli: Applet = async (invocation, process) => {
  const [optionWords, command] = splitArguments(invocation.args);
  const { flags, values } = parseOptions(optionWords, valueOptions);
  if (flags.has('v') || flags.has('version')) {
    invocation.out(`redis-cli ${redisVersion}\n`);
    return 0;
  }
  const { host, port, password } = endpointOf(values);
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
    const isTty = invocation.input instanceof Tty && !flags.has('raw');
    const session = new Session(connection, invocation, isTty ? formatForTty : formatRaw);
    if (password !== undefined && !flags.has('no-auth-warning'))
      invocation.err("Warning: Using a password with '-a' or '-u' option on the command line interface may not be safe.\n");
    await session.authenticate(password ?? invocation.environment.get('REDISCLI_AUTH'));
    if (values.has('n')) await session.call(['SELECT', values.get('n') ?? '0']);
    if (command.length > 0) await session.runCommand(command);
    else await session.runLines(isTty ? `${host}:${port}> ` : '');
    await connection.sink.close();
    // The real client, too, ends with 0 after an error of the server.
    return 0;
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    return fail(connectProblems[error.code] ?? error.message);
  }
};

/** Commands over one connection, with their replies in the output. */
class Session {
  readonly #sink: Connection['sink'];
  readonly #reader: RespReader;
  readonly #invocation: Invocation;
  readonly #format: (reply: Reply) => string;

  constructor({ source, sink }: Connection, invocation: Invocation, format: (reply: Reply) => string) {
    this.#sink = sink;
    this.#reader = new RespReader(source);
    this.#invocation = invocation;
    this.#format = format;
  }

  async authenticate(password: string | undefined): Promise<void> {
    if (password === undefined) return;
    const reply = await this.call(['AUTH', password]);
    if (reply instanceof ErrorReply) this.#invocation.err(`AUTH failed: ${reply.text}\n`);
  }

  async call(words: readonly string[]): Promise<Reply | undefined> {
    await this.#sink.write(bytesOf(formatReply(words.map((word) => stringOf(new TextEncoder().encode(word))))));
    return this.#reader.reply();
  }

  async runCommand(words: readonly string[]): Promise<void> {
    const reply = await this.call(words);
    // As after SHUTDOWN.
    if (reply === undefined) return;
    this.#show(reply);
    if (/^p?subscribe$/i.test(words[0] ?? '')) await this.#showMessages();
  }

  async runLines(prompt: string): Promise<void> {
    const { input, out } = this.#invocation;
    out(prompt);
    for await (const line of linesOf(input)) {
      const words = wordsOf(line);
      if (/^(?:exit|quit)$/i.test(words[0] ?? '')) return;
      if (words.length > 0) await this.runCommand(words);
      out(prompt);
    }
  }

  async #showMessages(): Promise<void> {
    const { signal } = this.#invocation;
    for (let message = await this.#reader.reply(); message !== undefined && !signal.aborted; message = await this.#reader.reply())
      this.#show(message);
  }

  #show(reply: Reply): void {
    this.#invocation.out(bytesOf(this.#format(reply)));
  }
}

/** The words of a line; with quotes for spaces. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) =>
    double === undefined ? (single ?? plain ?? '') : double.replace(/\\(.)/g, '$1'),
  );

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
