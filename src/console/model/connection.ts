import type { PluginHost } from '../../client/exec-plugin/index.ts';
import type { TransportStatus } from '../../client/index.ts';
import type { Env } from '../../env/index.ts';
import type { ApiHandler, ProductName, RequestTrace } from '../../meta/index.ts';

/** The connection to the cluster that the page passes to the console. */
export interface ClusterConnection {
  readonly api: ApiHandler;
  readonly baseUrl: string;
  status(): TransportStatus;
  onStatus(listener: (status: TransportStatus) => void): () => void;
  onTrace(listener: (traces: readonly RequestTrace[]) => void): () => void;
  acceptOffer(): Promise<void>;
  /** The connection to another cluster of the same host. */
  beside(id: string): ClusterConnection;
  /** Removes every cluster stored in this browser. */
  forget(): Promise<void>;
}

export interface ConsoleOptions {
  readonly connection: ClusterConnection;
  /** Runs the exec credential plugins of kubeconfigs. */
  readonly plugins: PluginHost;
  readonly env: Env;
  /** The API group names of the host's default cluster. */
  readonly names: ProductName;
  /** The release of Tabplane. */
  readonly release: string;
  /** Called with the cluster that the console shows, at first and after each change. */
  readonly onShow?: (workspace: Workspace) => void;
  /** Runs controllers, scheduler and nodes of a lesson's cluster until the returned function is called. */
  readonly runComponents?: (cluster: LessonCluster) => () => void;
}

/** A lesson's cluster with nodes. */
export interface LessonCluster {
  readonly id: string;
  readonly names: ProductName;
  /** Number of simulated nodes. */
  readonly nodes: number;
  /** Scripts of container images, by the repository of the image: paths from the folder of the page. */
  readonly images: Readonly<Record<string, string>>;
}

/** A cluster of the host and the home of its console. */
export interface Workspace {
  /** Empty for the host's default cluster. */
  readonly id: string;
  readonly kind: 'own' | 'named' | 'lesson';
  /** The API group names of the cluster. */
  readonly names: ProductName;
  readonly name: string;
  /** The address of a lesson. */
  readonly address?: string;
  /** Requests to the cluster wait for it. Rejects when the cluster cannot be created. */
  readonly ready?: Promise<void>;
  /** The allowed commands. Undefined or empty: all. */
  readonly allow?: readonly string[];
  /** Initial files of the home, besides the kubeconfig. */
  readonly files: () => Promise<Readonly<Record<string, string>>>;
}
