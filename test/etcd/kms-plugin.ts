import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type handleUnaryCall, Server, ServerCredentials, status } from '@grpc/grpc-js';
import { ProtoWriter, readFields, readText } from '../../src/codec/index.ts';

/** The state of a plugin, which a test changes. */
export interface KmsPluginState {
  keyId: string;
  healthz: string;
  version: string;
  /** What Encrypt and Decrypt fail with; undefined: they work. */
  failure: string | undefined;
  /** The calls so far. */
  readonly calls: ('Status' | 'Encrypt' | 'Decrypt')[];
}

const asBytes = (bytes: Buffer): Buffer => bytes;

function encoded(write: (to: ProtoWriter) => void): Buffer {
  const to = new ProtoWriter();
  write(to);
  return Buffer.from(to.finish());
}

/** The content of the bytes field of a request. */
function bytesAt(message: Uint8Array, number: number): Uint8Array {
  for (const field of readFields(message)) if (field.number === number) return field.bytes;
  return new Uint8Array();
}

/**
 * A KMS v2 plugin at a unix socket, whose key is its key id: the ciphertext is a nonce and the plaintext XORed with the key id, which also
 * is in an annotation. Cf. k8s.io/kms/apis/v2.
 */
export class KmsPlugin {
  readonly state: KmsPluginState = { keyId: 'key-1', healthz: 'ok', version: 'v2', failure: undefined, calls: [] };
  readonly #server = new Server();
  readonly #socket: string;

  private constructor(socket: string) {
    this.#socket = socket;
  }

  static async start(socket: string): Promise<KmsPlugin> {
    const plugin = new KmsPlugin(socket);
    plugin.#server.addService(
      Object.fromEntries(
        (['Status', 'Encrypt', 'Decrypt'] as const).map((name) => [
          name,
          {
            path: `/v2.KeyManagementService/${name}`,
            requestStream: false,
            responseStream: false,
            requestSerialize: asBytes,
            requestDeserialize: asBytes,
            responseSerialize: asBytes,
            responseDeserialize: asBytes,
          },
        ]),
      ),
      {
        Status: plugin.#answer('Status', () => {
          const { version, healthz, keyId } = plugin.state;
          return encoded((to) => {
            for (const [index, text] of [version, healthz, keyId].entries()) to.string(index + 1, text);
          });
        }),
        Encrypt: plugin.#answer('Encrypt', (request) => {
          const { keyId } = plugin.state;
          const nonce = randomBytes(4);
          const annotation = encoded((to) => {
            to.string(1, 'key.example.com');
            to.bytes(2, Buffer.from(keyId));
          });
          return encoded((to) => {
            to.bytes(1, Buffer.concat([nonce, xor(bytesAt(request, 1), keyId)]));
            to.string(2, keyId);
            to.bytes(3, annotation);
          });
        }),
        Decrypt: plugin.#answer('Decrypt', (request) => {
          const keyId = readText(bytesAt(request, 3));
          const annotation = bytesAt(request, 4);
          if (readText(bytesAt(annotation, 1)) !== 'key.example.com') throw new Error('the annotation is missing');
          return encoded((to) => to.bytes(1, xor(bytesAt(request, 1).subarray(4), keyId)));
        }),
      },
    );
    await new Promise<void>((resolve, reject) => {
      plugin.#server.bindAsync(`unix://${socket}`, ServerCredentials.createInsecure(), (error) => (error ? reject(error) : resolve()));
    });
    return plugin;
  }

  stop(): void {
    this.#server.forceShutdown();
    rmSync(this.#socket, { force: true });
  }

  #answer(name: KmsPluginState['calls'][number], answer: (request: Buffer) => Buffer): handleUnaryCall<Buffer, Buffer> {
    return ({ request }, respond) => {
      this.state.calls.push(name);
      const { failure } = this.state;
      if (failure !== undefined && name !== 'Status') respond({ code: status.INTERNAL, details: failure });
      else respond(null, answer(request));
    };
  }
}

function xor(bytes: Uint8Array, key: string): Uint8Array {
  return bytes.map((byte, index) => byte ^ key.charCodeAt(index % key.length));
}
