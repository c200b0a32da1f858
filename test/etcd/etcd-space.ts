import { createMemoryLog, type Log } from '../../src/env/index.ts';
import { createGrpcEtcdClient } from '../../src/hosts/node/etcd/grpc-etcd-client.ts';
import { createNodeEnv } from '../../src/hosts/node/node-env.ts';
import { decodeWtf8, encodeWtf8, openEtcdKeySpace, type TimedKeySpace } from '../../src/storage/index.ts';

export interface EtcdSpaceOptions {
  readonly prefix?: string;
  readonly log?: Log;
  readonly timeoutMs?: number;
  readonly ttlSeconds?: number;
}

/** A key space on a real etcd; its keys have the prefix `prefix` there, its values are plain text. */
export function openEtcdSpace(
  servers: readonly string[],
  { prefix = 'space/', log = createMemoryLog(), timeoutMs = 30_000, ttlSeconds }: EtcdSpaceOptions = {},
): Promise<TimedKeySpace> {
  return openEtcdKeySpace({
    client: createGrpcEtcdClient({ servers, authorities: undefined, identity: undefined }),
    clock: createNodeEnv(log).clock,
    log,
    layout: { prefixes: [{ prefix: '', etcdPrefix: prefix }], requestPrefix: `requests/${prefix}` },
    values: { encode: (_, text) => encodeWtf8(text), decode: (_, bytes) => decodeWtf8(bytes) },
    ttlSeconds: () => ttlSeconds,
    writeTimeoutMs: timeoutMs,
    readTimeoutMs: timeoutMs,
    requestTtlSeconds: 600,
  });
}
