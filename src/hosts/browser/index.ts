/** Shared by the browser hosts: the environment, and the clusters of a page. */
export { createBrowserEnv } from './browser-env.ts';
export { ClusterRegistry, type ClusterStores } from './cluster-registry.ts';
export { LazyCluster } from './lazy-cluster.ts';
export type { OpenRunningCluster, RunningCluster } from './running-cluster.ts';
