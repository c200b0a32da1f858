/** Tabplane in a page, as a library. */
export { KeySpaceError, type KeySpaceErrorCode } from '../../storage/index.ts';
export * from '../library/exports.ts';
export { createCluster, type PageClusterSettings } from './create-cluster.ts';
