/** Shared by the browser hosts: the environment, and the clusters of a page. */
export { createBrowserEnv } from './browser-env.ts';
export { ClusterHolder } from './cluster-holder.ts';
export { ClusterHouse, type ClusterStores } from './cluster-house.ts';
export type { OpenCluster, OpenedCluster } from './opened-cluster.ts';
