import type { ClusterOptions, ConfigurationReport } from '../../../cluster/index.ts';
import type { Log } from '../../../env/index.ts';
import type { MetricFamily } from '../../../meta/index.ts';

import type { TimedKeySpace } from '../../../storage/index.ts';

/** The storage of a server, with its size on disk. */
export interface OpenedStorage {
  readonly storage: TimedKeySpace;
  /** The bytes that its files take; undefined: it is in memory. */
  readonly allocatedBytes?: () => Promise<number>;
  /** How values are encrypted; undefined: they are not. */
  readonly encryption?: OpenedEncryption | undefined;
}

export interface OpenedEncryption {
  readonly healthChecks: ClusterOptions['storageChecks'];
  readonly file: ConfigurationReport;
  readonly metrics: () => readonly MetricFamily[];
}

/** The size of the storage; none while it is unknown. Cf. k8s.io/apiserver storage/etcd3/metrics, which calls the first storage etcd-0. */
export async function storageSizeMetrics({ allocatedBytes }: OpenedStorage, log: Log): Promise<readonly MetricFamily[]> {
  if (!allocatedBytes) return [];
  try {
    const value = await allocatedBytes();
    const help = '[STABLE] Size of the storage database file physically allocated in bytes.';
    return [{ name: 'apiserver_storage_size_bytes', type: 'gauge', help, samples: [{ labels: { storage_cluster_id: 'etcd-0' }, value }] }];
  } catch (error) {
    log.warn('the size of the storage is unknown', { error });
    return [];
  }
}
