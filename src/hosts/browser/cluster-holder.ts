import type { ApiHandler } from '../../meta/index.ts';
import type { OpenCluster, OpenedCluster } from './opened-cluster.ts';

/** One cluster, opened when it is first asked for; an opening that failed is tried again by the next who asks. */
export class ClusterHolder {
  readonly #open: OpenCluster;
  #cluster: Promise<OpenedCluster> | undefined;

  constructor(open: OpenCluster) {
    this.#open = open;
  }

  get(): Promise<OpenedCluster> {
    this.#cluster ??= this.#open().catch((error: unknown) => {
      this.#cluster = undefined;
      throw error;
    });
    return this.#cluster;
  }

  readonly handle: ApiHandler = async (request) => (await this.get()).handle(request);

  async close(): Promise<void> {
    const cluster = this.#cluster;
    this.#cluster = undefined;
    await (await cluster)?.close();
  }
}
