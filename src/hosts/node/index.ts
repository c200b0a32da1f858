/** Tabplane in Node, as a library. */
import { createMemoryKeySpace } from '../../storage/index.ts';
import { type Cluster, type ClusterSettings, createLibraryCluster } from '../library/index.ts';
import { createNodeEnv, createStderrLog } from './node-env.ts';

export * from '../library/exports.ts';

/**
 * Creates a cluster in memory; the promise resolves when it serves requests. Clusters of one process are independent. Warnings and errors
 * of the server are logged to stderr.
 *
 * @throws TokenFileError for invalid `tokens`
 * @throws AuditPolicyError for an invalid `auditPolicy`
 */
export function createCluster(settings: ClusterSettings = {}): Promise<Cluster> {
  const env = createNodeEnv(createStderrLog('warn'));
  return createLibraryCluster(env, createMemoryKeySpace, settings);
}
