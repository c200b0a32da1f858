/** What the browser's hosts share: the real clock, chance and log, and the cluster they open. */
export { createBrowserEnv } from './browser-env.ts';
export { ClusterHolder } from './cluster-holder.ts';
export { ClusterHouse, type ClusterStores } from './cluster-house.ts';
export type { OpenCluster, OpenedCluster } from './opened-cluster.ts';
