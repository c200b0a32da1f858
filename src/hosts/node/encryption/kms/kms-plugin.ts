import type { EncryptedSource } from './encrypted-object.ts';

export interface KmsStatus {
  readonly version: string;
  readonly healthz: string;
  readonly keyId: string;
}

/** The calls of a KMS v2 plugin (k8s.io/kms/apis/v2). All of them throw KmsPluginError. */
export interface KmsPlugin {
  status(): Promise<KmsStatus>;
  encrypt(uid: string, plaintext: Uint8Array): Promise<Omit<EncryptedSource, 'type'>>;
  decrypt(uid: string, encrypted: EncryptedSource): Promise<Uint8Array>;
  close(): void;
}

/** A call has failed; the message is Go's: `rpc error: code = Internal desc = …`. */
export class KmsPluginError extends Error {
  override readonly name = 'KmsPluginError';
  /** `DeadlineExceeded` */
  readonly code: string;

  constructor(code: string, details: string, cause?: unknown) {
    super(`rpc error: code = ${code} desc = ${details}`, { cause });
    this.code = code;
  }
}
