import { RuntimeConfigError, TokenFileError } from '../../cluster/index.ts';
import type { Log } from '../../env/index.ts';
import { KeySpaceError } from '../../storage/index.ts';
import { FlagError, type ServeFlags } from './flags/flags.ts';
import { createNodeEnv } from './node-env.ts';
import { type Serving, serve } from './serve.ts';

/** Dependencies of a start on its process. */
export interface StartHost {
  readonly createLog: (level: ServeFlags['logLevel']) => Log;
  /** Called with one line, without line feed, for each flag whose effect differs from kube-apiserver's. */
  readonly warn: (text: string) => void;
  /** Called when another process has taken the data over. */
  readonly storageLost: (error: KeySpaceError) => void;
}

const loopbackAddresses = ['127.0.0.1', '::1', 'localhost'];

/** Starts the server that a command line describes, in this process. @throws errors that `refusalOf` words */
export async function start(flags: ServeFlags, { createLog, warn, storageLost }: StartHost): Promise<Serving> {
  for (const warning of flags.featureGates.warnings) warn(warning);
  for (const name of flags.idle) warn(`--${name} changes nothing here`);
  const serving = await serve(flags, createNodeEnv(createLog(flags.logLevel)), storageLost);
  if (flags.insecure && !loopbackAddresses.includes(flags.bindAddress)) {
    warn(`tokens and secrets travel unencrypted to ${flags.bindAddress}`);
  }
  return serving;
}

/** Why a start, or a server, ends: its message for errors that are expected, its stack for others. */
export function refusalOf(error: unknown): string {
  if (!(error instanceof Error)) return `refused: ${String(error)}`;
  const isExpected =
    error instanceof FlagError ||
    error instanceof TokenFileError ||
    error instanceof RuntimeConfigError ||
    error instanceof KeySpaceError ||
    'code' in error;
  return `refused: ${isExpected ? error.message : error.stack}`;
}
