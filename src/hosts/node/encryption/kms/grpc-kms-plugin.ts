import { connect } from 'node:net';
import { Client, connectivityState, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { ProtoWriter, readFields, readText } from '../../../../codec/index.ts';
import { errorMessage } from '../../../../env/index.ts';
import { parseUrl } from '../../../../meta/index.ts';
import { systemErrorMessage } from '../../config/named-file.ts';
import { readAnnotation, writeAnnotations } from './encrypted-object.ts';
import { type KmsPlugin, KmsPluginError } from './kms-plugin.ts';

/** Field numbers of k8s.io/kms/apis/v2, api.proto. */
const statusResponse = { version: 1, healthz: 2, keyId: 3 } as const;
const encryptRequest = { plaintext: 1, uid: 2 } as const;
const encryptResponse = { ciphertext: 1, keyId: 2, annotations: 3 } as const;
const decryptRequest = { ciphertext: 1, uid: 2, keyId: 3, annotations: 4 } as const;
const decryptResponse = { plaintext: 1 } as const;

export interface GrpcKmsOptions {
  /** `unix:///path` */
  readonly endpoint: string;
  readonly timeoutMs: number;
}

/** A plugin at a unix socket. A call waits for the connection until it times out. */
export function createGrpcKmsPlugin({ endpoint, timeoutMs }: GrpcKmsOptions): KmsPlugin {
  const { path } = parseUrl(endpoint);
  const client = new Client(`unix://${path}`, credentials.createInsecure(), {
    'grpc.default_authority': 'localhost',
    'grpc.max_reconnect_backoff_ms': timeoutMs,
    'grpc.enable_http_proxy': 0,
  });
  const metadata = new Metadata({ waitForReady: true });
  const call = (method: string, write: (to: ProtoWriter) => void): Promise<Uint8Array> => {
    const to = new ProtoWriter();
    write(to);
    const request = Buffer.from(to.finish());
    return new Promise((resolve, reject) => {
      const done = (error: ServiceError | null, answer?: Buffer): void => {
        if (error) void rpcError(error, client, path).then(reject);
        else resolve(answer ?? new Uint8Array());
      };
      const deadline = Date.now() + timeoutMs;
      client.makeUnaryRequest(`/v2.KeyManagementService/${method}`, asIs, asIs, request, metadata, { deadline }, done);
    });
  };
  return {
    async status() {
      const read = { version: '', healthz: '', keyId: '' };
      for (const field of readFields(await call('Status', () => {}))) {
        if (field.number === statusResponse.version) read.version = readText(field.bytes);
        else if (field.number === statusResponse.healthz) read.healthz = readText(field.bytes);
        else if (field.number === statusResponse.keyId) read.keyId = readText(field.bytes);
      }
      return read;
    },
    async encrypt(uid, plaintext) {
      const response = await call('Encrypt', (to) => {
        to.bytes(encryptRequest.plaintext, plaintext);
        to.string(encryptRequest.uid, uid);
      });
      const read = { keyId: '', source: new Uint8Array(), annotations: new Map<string, Uint8Array>() };
      for (const field of readFields(response)) {
        if (field.number === encryptResponse.ciphertext) read.source = Uint8Array.from(field.bytes);
        else if (field.number === encryptResponse.keyId) read.keyId = readText(field.bytes);
        else if (field.number === encryptResponse.annotations) read.annotations.set(...readAnnotation(field.bytes));
      }
      return read;
    },
    async decrypt(uid, { source, keyId, annotations }) {
      const response = await call('Decrypt', (to) => {
        to.bytes(decryptRequest.ciphertext, source);
        to.string(decryptRequest.uid, uid);
        to.string(decryptRequest.keyId, keyId);
        writeAnnotations(to, decryptRequest.annotations, annotations);
      });
      for (const field of readFields(response)) if (field.number === decryptResponse.plaintext) return Uint8Array.from(field.bytes);
      return new Uint8Array();
    },
    close: () => client.close(),
  };
}

const asIs = (bytes: Buffer): Buffer => bytes;

async function rpcError(error: ServiceError, client: Client, path: string): Promise<KmsPluginError> {
  const isTimeout = error.code === status.DEADLINE_EXCEEDED;
  const isConnected = client.getChannel().getConnectivityState(false) === connectivityState.READY;
  const details = isTimeout ? ((isConnected ? undefined : await connectionProblem(path)) ?? 'context deadline exceeded') : error.details;
  return new KmsPluginError(goCode(error.code), details, error);
}

/** gRPC reports only that the time is up. Undefined: connecting succeeds by now. */
function connectionProblem(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.once('error', (error) => {
      const reason = systemErrorMessage(error) ?? errorMessage(error);
      const dialing = `transport: Error while dialing: dial unix ${path}: connect: ${reason}`;
      resolve(`latest balancer error: connection error: desc = ${JSON.stringify(dialing)}`);
    });
  });
}

/** `DeadlineExceeded` for DEADLINE_EXCEEDED. */
function goCode(code: status): string {
  if (code === status.CANCELLED) return 'Canceled';
  const name = status[code] ?? 'UNKNOWN';
  return name.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
