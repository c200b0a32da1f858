/** The embeddable cluster (`fetch` and `close`), the same on every platform. */
export { type Cluster, type ClusterSettings, createLibraryCluster } from './library-cluster.ts';
