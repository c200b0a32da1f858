import type { ApiHandler, Product } from '../../meta/index.ts';
import type { Invocation } from '../../shell/index.ts';
import type { ApiClient, CompletedRequest } from '../api/client.ts';
import type { Cluster } from '../api/cluster.ts';
import type { ConfigAccess } from '../kubeconfig/access.ts';
import type { FlagSpecs, Flags } from '../parse/flags.ts';
import { KubectlError } from './errors.ts';

/** A kubectl command. Its module is loaded on first use. */
export interface Command {
  readonly flags?: FlagSpecs;
  /** The exit code for invalid flags, which then are errors of usage; 1 without it. */
  readonly flagErrorCode?: number;
  /** Required flags. */
  readonly required?: readonly string[];
  readonly subcommands?: Readonly<Record<string, Subcommand>>;
  /** Returns a non-zero exit code, or throws. */
  readonly run?: (call: Call) => Promise<number | undefined> | number | undefined;
  /** How help is printed; texts of a command that kubectl does not have. */
  readonly help?: Help;
}

export interface Subcommand {
  readonly about: string;
  readonly aliases?: readonly string[];
  load(): Promise<Command>;
}

export interface Help {
  readonly about?: string;
  readonly usage?: string;
  readonly examples?: string;
  /** Prints to standard output with exit code 0 instead of standard error with 1. */
  readonly ok?: boolean;
  /** Prints to standard output with exit code 1. */
  readonly onOutput?: boolean;
}

/** The context of one command run. */
export interface Call extends Invocation {
  /** `create configmap`. */
  readonly commandPath: string;
  readonly flags: Flags;
  /** Arguments after the command's name. */
  readonly words: readonly string[];
  readonly product: Product;
  readonly columns: number;
  /** The root command with all subcommands. */
  readonly root: Command;
  readonly config: ConfigAccess;
  /** The server of the current context. @throws KubectlError when the kubeconfig has none */
  cluster(): Promise<Cluster>;
  api(): Promise<ApiClient>;
  /** The namespace, and whether `-n` set it. */
  namespace(): Promise<{ readonly name: string; readonly explicit: boolean }>;
  onRequest(request: CompletedRequest): void;
  /** Servers of this host by their origin, which commands may add; undefined: none can be. */
  readonly localServers: Map<string, ApiHandler> | undefined;
}

/** `…\nSee 'kubectl get -h' for help and examples`. */
export function usageError(call: Call, message: string): KubectlError {
  return new KubectlError(`${message}\nSee 'kubectl ${call.commandPath} -h' for help and examples`);
}
