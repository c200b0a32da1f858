import type { ApiHandler } from '../../meta/index.ts';
import type { OpenRunningCluster, RunningCluster } from './running-cluster.ts';

/**
 * A cluster that is opened on first use. After a failed opening, and after another worker has taken over the storage, the next use opens
 * it again.
 */
export class LazyCluster {
  readonly #open: OpenRunningCluster;
  #cluster: Promise<RunningCluster> | undefined;

  constructor(open: OpenRunningCluster) {
    this.#open = open;
  }

  get(): Promise<RunningCluster> {
    this.#cluster ??= this.#openCluster();
    return this.#cluster;
  }

  readonly handle: ApiHandler = async (request) => (await this.get()).handle(request);

  async close(): Promise<void> {
    const cluster = this.#cluster;
    this.#cluster = undefined;
    await (await cluster)?.close();
  }

  async #openCluster(): Promise<RunningCluster> {
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
