import type { PluginHost } from '../client/exec-plugin/index.ts';
import type { Env } from '../env/index.ts';
import type { ApiHandler, Product } from '../meta/index.ts';
import {
  createShell as createBareShell,
  type FileSystem,
  isIncomplete,
  type LineStreams,
  type Program,
  type ShellServices,
  type ShellState,
} from '../shell/index.ts';
import type { CompletedRequest } from './api/client.ts';
import type { ApiResource } from './api/discovery.ts';
import type { Completion } from './complete/completion-context.ts';
import type { Connect, PluginCache } from './kubeconfig/transport.ts';
import { createKubectl } from './program/kubectl.ts';

export interface KubectlShellOptions {
  readonly env: Env;
  readonly files: FileSystem;
  /** The API at an origin (`https://cluster.local`); undefined where nothing listens. No other host can be reached. */
  readonly connect: Connect;
  /** The same for completion, whose requests are not shown. */
  readonly connectQuietly?: Connect;
  /** Runs credential plugins. */
  readonly plugins?: PluginHost;
  /** Cached plugin credentials, shared with other clients. */
  readonly knownPlugins?: PluginCache;
  /** Discovery cache by server; the shell adds to it. */
  readonly knownResources?: Map<string, readonly ApiResource[]>;
  /** Exported from the start: HOME, PWD, KUBECONFIG, APISERVER, TOKEN, … */
  readonly variables: Readonly<Record<string, string>>;
  /** Programs besides the shell's own and kubectl. */
  readonly programs?: Readonly<Record<string, Program>>;
  /** Allowlist of programs; empty allows all. */
  readonly allow?: readonly string[];
  /** Opens a file in the learner's editor; false when it was cancelled. */
  readonly edit?: (path: string) => Promise<boolean>;
  readonly clear?: () => void;
  /** Called before each command; may delay it. */
  readonly beforeCommand?: ShellServices['beforeCommand'];
  readonly product?: Product;
  readonly columns?: number;
  /** Called for every request of kubectl. */
  readonly onRequest?: (request: CompletedRequest) => void;
}

export interface ConsoleShell {
  /** Runs a line (or several) and returns the exit code. Variables, directory and aliases persist. */
  run(line: string, streams: LineStreams): Promise<number>;
  /** Completes the line at the cursor. */
  complete(line: string, cursor: number, signal: AbortSignal): Promise<Completion>;
  /** Whether the text needs another line: an open quote, here-document or loop. */
  incomplete(text: string): boolean;
  readonly state: ShellState;
}

/** Creates a shell with kubectl. */
export function createShell(options: KubectlShellOptions): ConsoleShell {
  const { connect, programs } = options;
  const localServers = new Map<string, ApiHandler>();
  const kubectl = createKubectl({ ...options, localServers });
  const shell = createBareShell({
    ...options,
    connect: (origin) => localServers.get(origin) ?? connect(origin),
    programs: { kubectl, k: kubectl, ...programs },
  });
  return {
    state: shell.state,
    run: (line, streams) => shell.run(line, streams),
    async complete(line, cursor, signal) {
      const { completeLine } = await import('./complete/complete.ts');
      return completeLine({ ...options, shell, connect: options.connectQuietly ?? connect, signal }, line, cursor);
    },
    incomplete: isIncomplete,
  };
}
