import type { PluginHost } from '../../client/exec-plugin/index.ts';
import type { TransportStatus } from '../../client/index.ts';
import type { Env } from '../../env/index.ts';
import type { ApiHandler, Product, RequestTrace } from '../../meta/index.ts';

/** The cluster as the console is given it by its page. */
export interface ClusterConnection {
  readonly api: ApiHandler;
  readonly baseUrl: string;
  status(): TransportStatus;
  onStatus(listener: (status: TransportStatus) => void): () => void;
  onTrace(listener: (traces: readonly RequestTrace[]) => void): () => void;
  acceptOffer(): Promise<void>;
  /** Another cluster of the same host. */
  beside(id: string): ClusterConnection;
  /** Removes every cluster that this browser keeps. */
  forget(): Promise<void>;
}

export interface ConsoleOptions {
  readonly connection: ClusterConnection;
  /** Runs the credential plugins that kubeconfigs name. */
  readonly plugins: PluginHost;
  readonly env: Env;
  /** Whose names the cluster speaks. */
  readonly product: Product;
  /** Which release of Tabplane this is. */
  readonly release: string;
}

/** Which of the host's clusters a console is for. */
export interface Place {
  /** Empty for the host's own. */
  readonly id: string;
  readonly kind: 'own' | 'named' | 'lesson';
  readonly name: string;
  /** The commands that its console has; all of them when there is none. */
  readonly allow?: readonly string[];
  /** What its home holds when it is new, beside the kubeconfig. */
  readonly files: () => Promise<Readonly<Record<string, string>>>;
}
