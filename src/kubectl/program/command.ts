import type { Product } from '../../meta/index.ts';
import type { ApiClient, SeenRequest } from '../api/client.ts';
import type { Cluster } from '../api/cluster.ts';
import type { ConfigAccess } from '../kubeconfig/access.ts';
import type { FlagSpecs, Flags } from '../parse/flags.ts';
import type { Invocation } from '../shell/context.ts';
import { KubectlError } from './errors.ts';

/** One of kubectl's commands. Its module is loaded when it is first used. */
export interface Command {
  readonly flags?: FlagSpecs;
  /** Flags that must be given. */
  readonly required?: readonly string[];
  readonly subcommands?: Readonly<Record<string, Subcommand>>;
  /** Returns an exit code other than 0, or throws. */
  readonly run?: (call: Call) => Promise<number | undefined> | number | undefined;
  /** Help that is shown by the command itself when called wrongly. */
  readonly help?: Help;
}

export interface Subcommand {
  readonly about: string;
  readonly aliases?: readonly string[];
  load(): Promise<Command>;
}

export interface Help {
  readonly about: string;
  readonly usage: string;
  readonly examples?: string;
  /** Printed with exit 0 on standard output rather than on standard error with 1. */
  readonly ok?: boolean;
  /** On standard output, yet exit 1. */
  readonly onOutput?: boolean;
}

/** What a command is run with. */
export interface Call extends Invocation {
  /** `create configmap`. */
  readonly commandPath: string;
  readonly flags: Flags;
  /** Words after the command's own. */
  readonly words: readonly string[];
  readonly product: Product;
  readonly columns: number;
  /** kubectl itself, with all its commands. */
  readonly root: Command;
  readonly config: ConfigAccess;
  /** The server of the current context. @throws KubectlError when the configuration names none */
  cluster(): Promise<Cluster>;
  api(): Promise<ApiClient>;
  /** The namespace to work in, and whether `-n` named it. */
  namespace(): Promise<{ readonly name: string; readonly explicit: boolean }>;
  onRequest(seen: SeenRequest): void;
}

/** `…\nSee 'kubectl get -h' for help and examples`. */
export function usageError(call: Call, message: string): KubectlError {
  return new KubectlError(`${message}\nSee 'kubectl ${call.commandPath} -h' for help and examples`);
}
