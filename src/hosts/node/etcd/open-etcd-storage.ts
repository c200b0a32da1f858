import { createResourceOfKey, createStoredValueCodec, lockPrefix, serverLeasePrefix, serverLeaseSeconds } from '../../../cluster/index.ts';
import type { Env } from '../../../env/index.ts';
import type { FeatureGates, Product } from '../../../meta/index.ts';
import { KeySpaceError, openEtcdKeySpace } from '../../../storage/index.ts';
import { readNamedFile } from '../config/named-file.ts';
import { createEncryptedValues } from '../encryption/encrypted-values.ts';
import { type EncryptionFlags, loadEncryption } from '../encryption/load-encryption.ts';
import { FlagError } from '../flags/flag-error.ts';
import type { OpenedStorage } from '../storage/opened-storage.ts';
import { type EtcdFlags, storageErrorLead } from './etcd-flags.ts';
import { createGrpcEtcdClient } from './grpc-etcd-client.ts';

export interface EtcdStorageOptions {
  readonly product: Product;
  readonly featureGates: FeatureGates;
  readonly env: Env;
  readonly retentionMs: number;
  /** Undefined: values are not encrypted. */
  readonly encryption: EncryptionFlags | undefined;
}

/** TTL of locks: how long other servers wait after a crash of the holder. */
const lockSeconds = 10;

/** The server's write timeout: after it has answered 504, nothing may be written (server/limits/deadlines.ts). */
const writeTimeoutMs = 34_000;
/** A little more than the server's read timeout, so that the server answers with 504. */
const readTimeoutMs = 61_000;

/** Upper limit of the retention of request ids, since clients retry soon. */
const requestMaxSeconds = 60 * 60;

/** Key prefix of data that is not an API object. */
const internalRoot = '/tabplane';

/** Opens the storage in the etcd cluster of `--etcd-servers`. @throws FlagError when it is unreachable */
export async function openEtcdStorage(
  flags: EtcdFlags,
  { product, featureGates, env, retentionMs, encryption: encryptionFlags }: EtcdStorageOptions,
): Promise<OpenedStorage> {
  const { clock, log } = env;
  const encryption = encryptionFlags && (await loadEncryption(encryptionFlags, product, env));
  const { servers, caFile, identity, prefix, mediaType, eventTtlSeconds } = flags;
  const read = async (path: string): Promise<Buffer> => Buffer.from(await readNamedFile(path, (why) => `${storageErrorLead} ${why}`));
  const client = createGrpcEtcdClient({
    servers,
    authorities: caFile === undefined ? undefined : await read(caFile),
    identity: identity && { certificate: await read(identity.certFile), key: await read(identity.keyFile) },
  });
  // Clusters that share an etcd have different prefixes.
  const own = `${internalRoot}${prefix}`;
  const values = createStoredValueCodec(product, mediaType, { clock, featureGates });
  const etcdKeyOf = (key: string): string => key.replace(/^\/registry(?=\/)/, prefix);
  try {
    const storage = await openEtcdKeySpace({
      client,
      clock,
      log,
      layout: {
        prefixes: [
          { prefix: '/registry/', etcdPrefix: `${prefix}/` },
          { prefix: `${internalRoot}/`, etcdPrefix: `${own}/own/` },
        ],
        requestPrefix: `${own}/requests/`,
      },
      values: encryption
        ? createEncryptedValues({
            values,
            encryption: encryption.current,
            onDecodable: encryption.onDecodable,
            close: encryption.close,
            resourceOf: createResourceOfKey(product),
            etcdKeyOf,
          })
        : values,
      ttlSeconds(key) {
        if (key.startsWith(lockPrefix)) return lockSeconds;
        if (key.startsWith(serverLeasePrefix)) return serverLeaseSeconds;
        return key.startsWith('/registry/events/') && eventTtlSeconds > 0 ? eventTtlSeconds : undefined;
      },
      writeTimeoutMs: writeTimeoutMs,
      readTimeoutMs: readTimeoutMs,
      requestTtlSeconds: Math.min(requestMaxSeconds, Math.max(60, Math.ceil((retentionMs / 1000) * 2))),
    });
    return { storage, allocatedBytes: () => client.databaseBytes(), encryption };
  } catch (error) {
    if (!(error instanceof KeySpaceError) || error.code !== 'timed-out') throw error;
    log.error('etcd cannot be reached', { servers, error });
    throw new FlagError('context deadline exceeded');
  }
}
