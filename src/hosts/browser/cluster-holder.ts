import type { ApiHandler } from '../../meta/index.ts';
import type { OpenCluster, OpenedCluster } from './opened-cluster.ts';

/**
 * A cluster that is opened on first use. After a failed opening, and after another worker has taken over the storage, the next use opens
 * it again.
 */
export class ClusterHolder {
  readonly #open: OpenCluster;
  #cluster: Promise<OpenedCluster> | undefined;

  constructor(open: OpenCluster) {
    this.#open = open;
  }

  get(): Promise<OpenedCluster> {
    this.#cluster ??= this.#opened();
    return this.#cluster;
  }

  readonly handle: ApiHandler = async (request) => (await this.get()).handle(request);

  async close(): Promise<void> {
    const cluster = this.#cluster;
    this.#cluster = undefined;
    await (await cluster)?.close();
  }

  async #opened(): Promise<OpenedCluster> {
    try {
      const cluster = await this.#open();
      void cluster.takenOver.then(async () => {
        if ((await this.#cluster) === cluster) await this.close();
      });
      return cluster;
    } catch (error) {
      this.#cluster = undefined;
      throw error;
    }
  }
}
