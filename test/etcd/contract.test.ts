import { describe } from 'vitest';
import type { KeySpace } from '../../src/storage/index.ts';
import type { Lab } from '../contracts/contract.ts';
import { runContract } from '../contracts/run-contract.ts';
import { EtcdCluster, etcdMissing } from './etcd-cluster.ts';
import { openEtcdSpace } from './etcd-space.ts';

/** The contract counts revisions from the start, so every sentence needs an etcd that nobody has written to; it goes with its sentence. */
function createLab(size: number): Lab {
  let cluster: Promise<EtcdCluster> | undefined;
  const open = async (): Promise<KeySpace> => {
    cluster ??= EtcdCluster.start(size);
    return openEtcdSpace((await cluster).servers);
  };
  return {
    open,
    reopen: async (space) => {
      await space.close();
      return open();
    },
    close: async () => (await cluster)?.close(),
  };
}

// Most of the time of a sentence is spent waiting: for a start, and for members that elect one of them.
describe.skipIf(etcdMissing)(`a real etcd${etcdMissing ? ` (${etcdMissing})` : ''}`, { concurrent: true }, () => {
  runContract('etcd', () => createLab(1), 10);
  runContract('etcd of three members', () => createLab(3), 2);
});
