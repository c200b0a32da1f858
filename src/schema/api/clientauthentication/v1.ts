// Generated from the catalog by `npm run generate:types`. Do not edit.
import type { JsonObject } from '../../../meta/index.ts';

export interface Cluster {
  readonly server: string;
  readonly 'tls-server-name'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'certificate-authority-data'?: string;
  readonly 'proxy-url'?: string;
  readonly 'disable-compression'?: boolean;
  readonly config: JsonObject | null;
}

export interface ExecCredential {
  readonly kind: string;
  readonly apiVersion: string;
  readonly spec: ExecCredentialSpec;
  readonly status?: ExecCredentialStatus;
}

export interface ExecCredentialSpec {
  readonly cluster?: Cluster;
  readonly interactive: boolean;
}

export interface ExecCredentialStatus {
  readonly expirationTimestamp?: string;
  readonly token?: string;
  readonly clientCertificateData?: string;
  readonly clientKeyData?: string;
}
