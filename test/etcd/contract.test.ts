import { describe } from 'vitest';
import type { KeySpace } from '../../src/storage/index.ts';
import type { TestEngine } from '../contracts/contract.ts';
import { runContract } from '../contracts/run-contract.ts';
import { EtcdCluster, etcdMissing } from './etcd-cluster.ts';
import { openEtcdSpace } from './etcd-space.ts';

/** The contract counts revisions from the start, so every case needs an empty etcd of its own. */
function createEngine(size: number): TestEngine {
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

// A case mostly waits: for the start and the election of the members.
describe.skipIf(etcdMissing)(`a real etcd${etcdMissing ? ` (${etcdMissing})` : ''}`, { concurrent: true }, () => {
  runContract('etcd', () => createEngine(1), 10);
  runContract('etcd of three members', () => createEngine(3), 2);
});
