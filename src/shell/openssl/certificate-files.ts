import {
  type Certificate,
  readCertificate,
  readSigningRequest,
  type SigningHash,
  type SigningRequest,
  signatureAlgorithmOf,
  signatureProblem,
  X509Error,
} from '../../x509/index.ts';
import type { Invocation } from '../context.ts';
import { CommandError } from '../errors.ts';
import { decodeFile, readInput, readInputFile } from './files.ts';
import type { PrivateKey } from './keys.ts';

import { type Arguments, usageError } from './options.ts';
import { useCrypto } from './use-crypto.ts';

/** A certificate with its encoding. */
export interface CertificateFile {
  readonly certificate: Certificate;
  readonly der: Uint8Array;
}

const certificateTypes = ['CERTIFICATE', 'TRUSTED CERTIFICATE', 'X509 CERTIFICATE'];

/** Reads the first certificate of a file; `what` is its name in errors. @throws CommandError */
export async function readCertificateFile(
  call: Invocation,
  name: string | undefined,
  what = 'certificate',
  code = 1,
): Promise<CertificateFile> {
  const content = await readInput(call, name);
  if (!content) throw new CommandError(`Could not open file or uri for loading ${what} from ${name}\nUnable to load ${what}`, code);
  try {
    const der = decodeFile(content, certificateTypes);
    if (der) return { certificate: readCertificate(der), der };
  } catch (error) {
    if (!(error instanceof X509Error)) throw error;
  }
  throw new CommandError(`Could not read ${what} from ${name ?? '<stdin>'}\nUnable to load ${what}`, code);
}

export interface RequestFile {
  readonly request: SigningRequest;
  readonly der: Uint8Array;
}

/** @throws CommandError */
export async function readRequestFile(
  call: Invocation,
  name: string | undefined,
  failure = 'Unable to load X509 request',
): Promise<RequestFile> {
  const content = await readInputFile(call, name, `\n${failure}`);
  try {
    const der = decodeFile(content, ['CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST']);
    if (der) return { request: readSigningRequest(der), der };
  } catch (error) {
    if (!(error instanceof X509Error)) throw error;
  }
  throw new CommandError(failure);
}

/** Whether the key of a request made its signature. */
export const hasValidSignature = (call: Invocation, { algorithm, key, spki, signed, signature }: SigningRequest): Promise<boolean> =>
  useCrypto(call, async () => (await signatureProblem(signatureAlgorithmOf(algorithm), { key, spki, signed, signature })) === undefined);

const signingHashes: Readonly<Record<string, SigningHash>> = { sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' };

/** The hash of signatures with the key, by a name such as `sha256`. @throws CommandError */
export function signingHash({ command }: Arguments, digest = 'sha256', { publicKey }: PrivateKey): SigningHash {
  const hash = signingHashes[digest.toLowerCase()];
  if (hash) return hash;
  // Ed25519 has a hash of its own.
  if (publicKey.type === 'ed25519') return 'SHA-256';
  if (/^(?:md5|sha1|sha224)$/i.test(digest))
    throw new CommandError('openssl: only signatures with sha256, sha384 and sha512 are supported');
  throw usageError(command, `Unknown option or message digest: ${digest}`);
}
