/** Shared by the browser hosts: the environment, and the clusters of a page. */
export { createBrowserEnv } from './browser-env.ts';
export { ClusterRegistry } from './cluster-registry.ts';
export { LazyCluster } from './lazy-cluster.ts';
