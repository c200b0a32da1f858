import { parseArgs } from 'node:util';
import { type ProductName, parseDuration } from '../../meta/index.ts';

/** What `serve` was told on its command line; the names are the real server's. */
export interface ServeFlags {
  readonly names: ProductName;
  readonly bindAddress: string;
  /** 0: any free port. */
  readonly securePort: number;
  /** Plain http instead of https. */
  readonly insecure: boolean;
  readonly tokenAuthFile: string | undefined;
  readonly anonymousAuth: boolean;
  /** The folder that keeps the data; memory alone without it. */
  readonly dataDir: string | undefined;
  readonly retentionMs: number;
  /** Where the client configuration is written. */
  readonly kubeconfig: string | undefined;
  readonly trace: boolean;
  readonly logLevel: 'error' | 'warn' | 'info';
  readonly help: boolean;
}

/** A command line that cannot be followed; the message is for its writer. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

const options = {
  names: { type: 'string', default: 'svc' },
  'bind-address': { type: 'string', default: '127.0.0.1' },
  'secure-port': { type: 'string', default: '0' },
  insecure: { type: 'boolean', default: false },
  'token-auth-file': { type: 'string' },
  'anonymous-auth': { type: 'string', default: 'true' },
  'data-dir': { type: 'string' },
  'etcd-compaction-interval': { type: 'string', default: '5m' },
  kubeconfig: { type: 'string' },
  trace: { type: 'boolean', default: false },
  'log-level': { type: 'string', default: 'warn' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export const usage = `Usage: tabplane serve [flags]

  --names svc|kubernetes           which product is served (default svc, the neutral one)
  --bind-address ADDRESS           default 127.0.0.1
  --secure-port PORT               default 0: any free one
  --insecure                       plain http instead of https
  --token-auth-file FILE           CSV of bearer tokens: token,user,uid,"group,group"; without it a random admin token is made
  --anonymous-auth true|false      default true
  --data-dir FOLDER                keep the data there; without it they live in memory
  --etcd-compaction-interval TIME  how long old revisions are kept, default 5m
  --kubeconfig FILE                where to write the client configuration
  --trace                          answers carry Server-Timing
  --log-level error|warn|info      default warn
`;

/** @throws FlagError */
export function parseFlags(words: readonly string[]): ServeFlags {
  const values = parsed(words);
  return {
    names: oneOf('names', values.names, ['svc', 'kubernetes']),
    bindAddress: values['bind-address'],
    securePort: portOf(values['secure-port']),
    insecure: values.insecure,
    tokenAuthFile: values['token-auth-file'],
    anonymousAuth: oneOf('anonymous-auth', values['anonymous-auth'], ['true', 'false']) === 'true',
    dataDir: values['data-dir'],
    retentionMs: durationOf('etcd-compaction-interval', values['etcd-compaction-interval']),
    kubeconfig: values.kubeconfig,
    trace: values.trace,
    logLevel: oneOf('log-level', values['log-level'], ['error', 'warn', 'info']),
    help: values.help,
  };
}

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

function parsed(words: readonly string[]): Values {
  try {
    return parseArgs({ args: [...words], options, strict: true }).values;
  } catch (error) {
    const unknown = /Unknown option '(--?[^']+)'/.exec(error instanceof Error ? error.message : '');
    throw new FlagError(unknown ? `unknown flag: ${unknown[1]}` : error instanceof Error ? error.message : String(error));
  }
}

function oneOf<T extends string>(flag: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined)
    throw new FlagError(`invalid argument ${JSON.stringify(value)} for "--${flag}": must be one of ${allowed.join(', ')}`);
  return found;
}

function portOf(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new FlagError(`invalid argument ${JSON.stringify(text)} for "--secure-port": must be between 0 and 65535`);
  return port;
}

function durationOf(flag: string, text: string): number {
  try {
    return Number(parseDuration(text) / 1_000_000n);
  } catch (error) {
    throw new FlagError(
      `invalid argument ${JSON.stringify(text)} for "--${flag}" flag: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
