/** The cluster of a page: by its Service Worker, by a core in a worker or in the page, or far away. */
export { type Connection, type ConnectOptions, connectCluster } from './connect-cluster.ts';
export { createCluster, type PageClusterSettings } from './create-cluster.ts';
