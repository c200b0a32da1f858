import { errorMessage } from '../../env/index.ts';
import { isJsonObject, type Json, type JsonObject, jsonKind, parseTime } from '../../meta/index.ts';
import { execGroup, execVersions } from './exec-config.ts';
import { validateKeyPair } from './key-pair.ts';

/** Credentials that a plugin returned. */
export interface PluginCredentials {
  /** Empty when absent. */
  readonly token: string;
  /** PEM. */
  readonly identity: { readonly certificate: string; readonly key: string } | undefined;
  /** Undefined: valid until a server rejects them. */
  readonly expiresMs: number | undefined;
}

/** A plugin that returned no usable credentials. The message is that of client-go. */
export class ExecPluginError extends Error {
  override readonly name = 'ExecPluginError';
}

const typeStruct = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
const statusTexts = ['token', 'clientCertificateData', 'clientKeyData'] as const;

/** Parses the output of a plugin. @throws ExecPluginError */
export function readExecCredential(output: Json, apiVersion: string, rename: (text: string) => string): PluginCredentials {
  const credential = decodeCredential(output ?? {}, rename);
  const returned = textOf(credential['apiVersion']) || `${rename(execGroup)}/__internal`;
  if (returned !== apiVersion)
    throw new ExecPluginError(`exec plugin is configured to use API version ${apiVersion}, plugin returned version ${returned}`);
  const status = credential['status'];
  if (!isJsonObject(status)) throw new ExecPluginError("exec plugin didn't return a status field");
  const [token, certificate, key] = statusTexts.map((name) => textOf(status[name])) as [string, string, string];
  if (token === '' && certificate === '' && key === '') throw new ExecPluginError("exec plugin didn't return a token or cert/key pair");
  if ((certificate === '') !== (key === '')) throw new ExecPluginError('exec plugin returned only certificate or key, not both');
  const problem = certificate === '' ? undefined : validateKeyPair(certificate, key);
  if (problem !== undefined) throw new ExecPluginError(`failed parsing client key/certificate: ${problem}`);
  const expires = textOf(status['expirationTimestamp']);
  return {
    token,
    identity: certificate === '' ? undefined : { certificate, key },
    expiresMs: expires === '' ? undefined : parseTime(expires),
  };
}

/** Returns an ExecCredential of a supported version whose fields have the right types. */
function decodeCredential(output: Json, rename: (text: string) => string): JsonObject {
  if (!isJsonObject(output))
    throw decodingError(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonKind(output)} into Go value of type ${typeStruct}`,
    );
  const [version, kind] = [textOf(output['apiVersion']), textOf(output['kind']) || 'ExecCredential'];
  const isKnown = version === '' || execVersions.some((one) => version === rename(`${execGroup}/${one}`));
  if (kind !== 'ExecCredential' || !isKnown) throw decodingError(notRegisteredMessage(kind, version, rename));
  checkTypes(output);
  return output;
}

function notRegisteredMessage(kind: string, version: string, rename: (text: string) => string): string {
  const where =
    version === '' ? `the internal version of group ${JSON.stringify(rename(execGroup))}` : `version ${JSON.stringify(version)}`;
  return `no kind ${JSON.stringify(kind)} is registered for ${where} in scheme "pkg/runtime/scheme.go:110"`;
}

function checkTypes({ status }: JsonObject): void {
  if (status === undefined || status === null) return;
  if (!isJsonObject(status)) throw typeMismatchError(status, 'ExecCredential.status', 'v1.ExecCredentialStatus');
  for (const name of statusTexts) {
    const value = status[name] ?? null;
    if (value !== null && typeof value !== 'string') throw typeMismatchError(value, `ExecCredentialStatus.status.${name}`, 'string');
  }
  const expires = status['expirationTimestamp'] ?? null;
  if (expires === null) return;
  if (typeof expires !== 'string') throw decodingError(`json: cannot unmarshal ${jsonKind(expires)} into Go value of type string`);
  try {
    parseTime(expires);
  } catch (error) {
    throw decodingError(errorMessage(error));
  }
}

function typeMismatchError(value: Json, field: string, type: string): ExecPluginError {
  return decodingError(`json: cannot unmarshal ${jsonKind(value)} into Go struct field ${field} of type ${type}`);
}

/** The error for output that is not an ExecCredential. */
export function decodingError(why: string): ExecPluginError {
  return new ExecPluginError(`decoding stdout: ${why}`);
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
