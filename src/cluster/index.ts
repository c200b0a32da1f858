/** A control plane, wired: everything above comes together here. */

/** The users that hosts hand over: they read files, the cluster does not. */
export { readTokenFile, type StaticTokens, TokenFileError } from '../authn/index.ts';
export { type AuthenticationOptions, authenticationDefaults } from './authentication.ts';
export { type Cluster, type ClusterOptions, clusterDefaults, createCluster } from './create-cluster.ts';
