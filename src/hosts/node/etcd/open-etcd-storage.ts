import { createStoredValues, lockRoot } from '../../../cluster/index.ts';
import type { Clock, Log } from '../../../env/index.ts';
import type { FeatureGates, Product } from '../../../meta/index.ts';
import { KeySpaceError, openEtcdKeySpace, type TimedKeySpace } from '../../../storage/index.ts';
import { FlagError } from '../flag-error.ts';
import { readNamedFile } from '../named-file.ts';
import type { EtcdFlags } from './etcd-flags.ts';
import { createGrpcEtcdClient } from './grpc-etcd-client.ts';

export interface EtcdStorageParts {
  readonly product: Product;
  readonly featureGates: FeatureGates;
  readonly clock: Clock;
  readonly log: Log;
  readonly retentionMs: number;
}

/** For how long a server that died keeps the others waiting. */
const lockSeconds = 10;

/** What the server gives a write: after it has said that its time is over, nothing is written any more (server/deadlines.ts). */
const patienceMs = 34_000;
/** A little more than the server gives a read, so that it is the server who says that time is over. */
const readPatienceMs = 61_000;

/** A client that repeats a request does so soon: longer than this its answer is not kept, however long history is. */
const requestMaxSeconds = 60 * 60;

/** What is not an object lies beside them, under a name of its own. */
const ownRoot = '/tabplane';

/** Opens the storage that `--etcd-servers` names. @throws FlagError when it cannot be reached */
export async function openEtcdStorage(
  flags: EtcdFlags,
  { product, featureGates, clock, log, retentionMs }: EtcdStorageParts,
): Promise<TimedKeySpace> {
  const { servers, caFile, identity, prefix, mediaType, eventTtlSeconds } = flags;
  const read = async (path: string): Promise<Buffer> => Buffer.from(await readNamedFile(path));
  const client = createGrpcEtcdClient({
    servers,
    authorities: caFile === undefined ? undefined : await read(caFile),
    identity: identity && { certificate: await read(identity.certFile), key: await read(identity.keyFile) },
  });
  // Two clusters on one etcd differ in their prefix.
  const own = `${ownRoot}${prefix}`;
  try {
    return await openEtcdKeySpace({
      client,
      clock,
      log,
      layout: {
        roots: [
          { own: '/registry/', stored: `${prefix}/` },
          { own: `${ownRoot}/`, stored: `${own}/own/` },
        ],
        requests: `${own}/requests/`,
      },
      values: createStoredValues(product, mediaType, { clock, featureGates }),
      ttlSeconds(key) {
        if (key.startsWith(lockRoot)) return lockSeconds;
        return key.startsWith('/registry/events/') && eventTtlSeconds > 0 ? eventTtlSeconds : undefined;
      },
      patienceMs,
      readPatienceMs,
      requestTtlSeconds: Math.min(requestMaxSeconds, Math.max(60, Math.ceil((retentionMs / 1000) * 2))),
    });
  } catch (error) {
    if (!(error instanceof KeySpaceError) || error.code !== 'timed-out') throw error;
    log.error('etcd cannot be reached', { servers, error });
    throw new FlagError('context deadline exceeded');
  }
}
