import type { PluginHost } from '../client/exec-plugin/index.ts';
import type { Env } from '../env/index.ts';
import type { Product } from '../meta/index.ts';
import type { SeenRequest } from './api/client.ts';
import type { KnownResource } from './api/discovery.ts';
import type { Completion } from './complete/asking.ts';
import type { Connect, KnownPlugins } from './kubeconfig/way.ts';
import { createKubectl } from './program/kubectl.ts';
import type { Program, ShellState } from './shell/context.ts';
import { createShell as createBareShell, type LineStreams } from './shell/create-shell.ts';
import type { FileSystem } from './shell/files.ts';
import { isIncomplete } from './shell/parser.ts';

export interface KubectlShellOptions {
  readonly env: Env;
  readonly files: FileSystem;
  /** The API behind an origin (`https://cluster.local`); undefined where nothing answers. Every other host is out of reach. */
  readonly connect: Connect;
  /** The same for completion, whose requests should not be shown. */
  readonly connectQuietly?: Connect;
  /** Runs credential plugins. */
  readonly plugins?: PluginHost;
  /** What plugins gave, where others use it, too. */
  readonly knownPlugins?: KnownPlugins;
  /** What servers serve, as far as it is known already; what is found out is added. */
  readonly knownResources?: Map<string, readonly KnownResource[]>;
  /** Exported from the start: HOME, PWD, KUBECONFIG, APISERVER, TOKEN, … */
  readonly variables: Readonly<Record<string, string>>;
  /** Programs besides the shell's own and kubectl. */
  readonly programs?: Readonly<Record<string, Program>>;
  /** The programs that there are, of all; all of them when it is empty. */
  readonly allow?: readonly string[];
  /** Lets the learner edit a file; false when it was given up. */
  readonly edit?: (path: string) => Promise<boolean>;
  readonly clear?: () => void;
  readonly product?: Product;
  readonly columns?: number;
  /** Told of every request that kubectl made. */
  readonly onRequest?: (seen: SeenRequest) => void;
}

export interface ConsoleShell {
  /** Runs a line (or several) and returns the exit code. Variables, directory and aliases last. */
  run(line: string, streams: LineStreams): Promise<number>;
  /** What may stand at the cursor. */
  complete(line: string, cursor: number, signal: AbortSignal): Promise<Completion>;
  /** Whether the text is a beginning that needs another line: an open quote, here-document or loop. */
  incomplete(text: string): boolean;
  readonly state: ShellState;
}

/** A shell with kubectl in it. */
export function createShell(options: KubectlShellOptions): ConsoleShell {
  const { connect, product, programs = {} } = options;
  const kubectl = createKubectl(options);
  const shell = createBareShell({ ...options, programs: { kubectl, ...programs } });
  return {
    state: shell.state,
    run: (line, streams) => shell.run(line, streams),
    async complete(line, cursor, signal) {
      const { completeLine } = await import('./complete/complete.ts');
      return completeLine(
        { shell, connect: options.connectQuietly ?? connect, signal, ...(product === undefined ? {} : { product }) },
        line,
        cursor,
      );
    },
    incomplete: isIncomplete,
  };
}
