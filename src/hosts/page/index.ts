/** Connects a page to its cluster: by its Service Worker, a core in a worker or in the page, or a remote server. */
export type { Connection } from './connect-cluster.ts';
