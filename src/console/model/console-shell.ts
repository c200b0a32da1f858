import type { Env } from '../../env/index.ts';
import { createShell } from '../../kubectl/index.ts';
import type { ApiHandler } from '../../meta/index.ts';
import { clusterOrigin } from './identities.ts';
import { homeDirectory, kubeconfigPath, type VirtualHome } from './virtual-home.ts';

export interface Candidate {
  readonly text: string;
  /** One line about it; empty when there is nothing to say. */
  readonly about: string;
}

/** What may stand in place of the text between `from` and the cursor. */
export interface Completion {
  readonly from: number;
  readonly candidates: readonly Candidate[];
}

export interface LineStreams {
  readonly signal: AbortSignal;
  out(text: string): void;
  err(text: string): void;
}

/** The command language, as the terminal uses it. */
export interface ConsoleShell {
  run(line: string, streams: LineStreams): Promise<number>;
  complete(line: string, cursor: number, signal: AbortSignal): Promise<Completion>;
  /** Whether Enter should begin another line: an open quote, here-document or loop. */
  incomplete(text: string): boolean;
}

export interface ConsoleShellOptions {
  readonly env: Env;
  readonly home: VirtualHome;
  readonly api: ApiHandler;
  readonly internalApi: ApiHandler;
  readonly history: () => readonly string[];
  readonly edit: (path: string) => Promise<boolean>;
}

export function createConsoleShell({ env, home, api, edit }: ConsoleShellOptions): ConsoleShell {
  const shell = createShell({
    env,
    files: home.files,
    connect: (origin) => (origin === clusterOrigin ? api : undefined),
    variables: { HOME: homeDirectory, PWD: homeDirectory, KUBECONFIG: kubeconfigPath, APISERVER: clusterOrigin, TOKEN: 'admin-token' },
    programs: {},
    edit,
  });
  return {
    run: (line, streams) => shell.run(line, streams),
    complete: async (_line, cursor) => ({ from: cursor, candidates: [] }),
    incomplete: () => false,
  };
}
