/** A control plane, wired: everything above comes together here. */

export { readTokenFile, type StaticTokens, TokenFileError } from '../authn/index.ts';
/** The users that hosts hand over: they read files, the cluster does not. */
export { AuthorizationConfigError, PolicyFileError, readPolicyFile, settingsOfModes } from '../authz/index.ts';
export { type AuthenticationOptions, authenticationDefaults } from './authentication.ts';
export { type AuthorizationOptions, authorizationDefaults } from './authorization.ts';
export { type Cluster, type ClusterOptions, clusterDefaults, createCluster } from './create-cluster.ts';
