import { type ChannelCredentials, Client, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { EtcdError } from '../../../storage/index.ts';

/** A connection without response for the sum of both is closed; etcd accepts a ping every 5 s. */
const keepaliveMs = 10_000;
const keepaliveTimeoutMs = 5_000;

/** gRPC connection to one member of an etcd cluster, with encoded messages. */
export class Member {
  readonly #client: Client;
  readonly #metadata = new Metadata();

  constructor(address: string, credentials: ChannelCredentials) {
    this.#client = new Client(address, credentials, {
      'grpc.max_receive_message_length': -1,
      'grpc.max_send_message_length': -1,
      'grpc.keepalive_time_ms': keepaliveMs,
      'grpc.keepalive_timeout_ms': keepaliveTimeoutMs,
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 1_000,
      'grpc.enable_http_proxy': 0,
    });
    // Makes a member without leader return an error instead of waiting for one.
    this.#metadata.set('hasleader', 'true');
  }

  /** @throws EtcdError */
  call(method: string, request: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const done = (error: ServiceError | null, answer?: Uint8Array): void =>
        error ? reject(etcdError(error)) : resolve(answer ?? new Uint8Array());
      const deadline = Date.now() + timeoutMs;
      this.#client.makeUnaryRequest<Uint8Array, Uint8Array>(method, asBuffer, asIs, request, this.#metadata, { deadline }, done);
    });
  }

  /** Opens a stream with one request message; calls `ended` once when it ends by itself. The returned function cancels it. */
  openStream(method: string, request: Uint8Array, onMessage: (message: Uint8Array) => void, ended: (error: EtcdError) => void): () => void {
    const stream = this.#client.makeBidiStreamRequest<Uint8Array, Uint8Array>(method, asBuffer, asIs, this.#metadata, {});
    let isOver = false;
    const end = (error: EtcdError): void => {
      if (isOver) return;
      isOver = true;
      ended(error);
    };
    stream.on('data', (message: Uint8Array) => {
      if (!isOver) onMessage(message);
    });
    stream.on('error', (error: ServiceError) => end(etcdError(error)));
    stream.on('end', () => end(new EtcdError('unavailable', 'the stream has ended')));
    stream.write(request);
    return () => {
      isOver = true;
      stream.cancel();
    };
  }

  close(): void {
    this.#client.close();
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function asIs(bytes: Buffer): Uint8Array {
  return bytes;
}

function etcdError(error: ServiceError): EtcdError {
  const { code, details } = error;
  if (details.includes('required revision has been compacted')) return new EtcdError('compacted', details, error);
  if (details.includes('required revision is a future revision')) return new EtcdError('future-revision', details, error);
  if (details.includes('database space exceeded')) return new EtcdError('no-space', details, error);
  const isAway = code === status.UNAVAILABLE || code === status.DEADLINE_EXCEEDED || code === status.CANCELLED || code === status.INTERNAL;
  return new EtcdError(isAway ? 'unavailable' : 'refused', details, error);
}
