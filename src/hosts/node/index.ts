/** Tabplane in Node, as a library. */
import { createMemoryKeySpace } from '../../storage/index.ts';
import { type Cluster, type ClusterSettings, createLibraryCluster } from '../library/index.ts';
import { createNodeEnv, createStderrLog } from './node-env.ts';

export type { Cluster, ClusterSettings };

/** Creates a cluster in memory. @throws TokenFileError */
export function createCluster(settings: ClusterSettings = {}): Promise<Cluster> {
  const env = createNodeEnv(createStderrLog('warn'));
  return createLibraryCluster(env, createMemoryKeySpace(env.clock), settings);
}
