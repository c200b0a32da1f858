import { afterEach, describe } from 'vitest';
import type { KeySpace } from '../../src/storage/index.ts';
import type { Lab } from '../contracts/contract.ts';
import { runContract } from '../contracts/run-contract.ts';
import { EtcdCluster, etcdMissing } from './etcd-cluster.ts';
import { openEtcdSpace } from './etcd-space.ts';

/** The contract counts revisions from the start, so every sentence needs an etcd that nobody has written to; it goes with its sentence. */
const clusters: Promise<EtcdCluster>[] = [];
afterEach(async () => {
  for (const cluster of clusters.splice(0)) await (await cluster).close();
});

function createLab(size: number): Lab {
  let cluster: Promise<EtcdCluster> | undefined;
  const open = async (): Promise<KeySpace> => {
    if (!cluster) {
      cluster = EtcdCluster.start(size);
      clusters.push(cluster);
    }
    return openEtcdSpace((await cluster).servers);
  };
  return {
    open,
    reopen: async (space) => {
      await space.close();
      return open();
    },
  };
}

describe.skipIf(etcdMissing)(`a real etcd${etcdMissing ? ` (${etcdMissing})` : ''}`, () => {
  runContract('etcd', () => createLab(1), 10);
  runContract('etcd of three members', () => createLab(3), 2);
});
