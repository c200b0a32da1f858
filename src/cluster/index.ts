/** A control plane, wired: everything above comes together here. */
export { type Cluster, type ClusterOptions, clusterDefaults, createCluster } from './create-cluster.ts';
