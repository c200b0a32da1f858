import { notAnObjectError } from '../../authz/index.ts';
import { parseYaml, YamlSyntaxError } from '../../codec/index.ts';
import {
  Base64Error,
  checkBase64,
  isJsonObject,
  type Json,
  type JsonObject,
  objectsAt,
  recordAt,
  sortMembers,
  textAt,
} from '../../meta/index.ts';
import type { Schema } from '../../schema/index.ts';
import {
  bool,
  ConfigurationFileError,
  decodeTyped,
  listOf,
  struct,
  text,
  unregisteredKindError,
} from '../configuration/configuration-file.ts';

/** An invalid kubeconfig; the message is the real server's. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}

/** The current context of a kubeconfig; missing fields are empty. */
export interface CurrentContext {
  /** False when the current context does not exist. */
  readonly found: boolean;
  readonly name: string;
  readonly clusterName: string;
  /** Undefined when no cluster has this name. */
  readonly cluster: JsonObject | undefined;
  readonly userName: string;
  readonly user: JsonObject;
}

const texts = listOf(text);
const anything: Schema = { form: 'untyped', topology: 'atomic', type: 'any' };
const extensions = listOf(struct('NamedExtension', { name: text, extension: anything }));

const cluster = struct('Cluster', {
  server: text,
  'tls-server-name': text,
  'insecure-skip-tls-verify': bool,
  'certificate-authority': text,
  'certificate-authority-data': text,
  'proxy-url': text,
  'disable-compression': bool,
  extensions,
});

const user = struct('AuthInfo', {
  'client-certificate': text,
  'client-certificate-data': text,
  'client-key': text,
  'client-key-data': text,
  token: text,
  tokenFile: text,
  as: text,
  'as-uid': text,
  'as-groups': texts,
  'as-user-extra': anything,
  username: text,
  password: text,
  'auth-provider': struct('AuthProviderConfig', { name: text, config: anything }),
  exec: struct('ExecConfig', {
    command: text,
    args: texts,
    env: listOf(struct('ExecEnvVar', { name: text, value: text })),
    apiVersion: text,
    installHint: text,
    provideClusterInfo: bool,
    interactiveMode: text,
  }),
  extensions,
});

const config = struct('Config', {
  kind: text,
  apiVersion: text,
  preferences: anything,
  clusters: listOf(struct('NamedCluster', { name: text, cluster })),
  users: listOf(struct('NamedAuthInfo', { name: text, user })),
  contexts: listOf(
    struct('NamedContext', { name: text, context: struct('Context', { cluster: text, user: text, namespace: text, extensions }) }),
  ),
  'current-context': text,
  extensions,
});

/** The users of a kubeconfig. */
export interface KubeconfigUsers {
  readonly users: ReadonlyMap<string, JsonObject>;
  /** The user of the current context; empty: none. */
  readonly current: string;
}

/** Parses the users of the kubeconfig at `path`. @throws KubeconfigError */
export function readUsers(path: string, content: string): KubeconfigUsers {
  return readDocument(path, content, (document) => ({
    users: readNamedEntries(document, 'users', 'user'),
    current: currentContextOf(document).userName,
  }));
}

/** Parses the kubeconfig at `path`. Unknown fields are ignored. @throws KubeconfigError */
export function readCurrentContext(path: string, content: string): CurrentContext {
  return readDocument(path, content, currentContextOf);
}

function readDocument<Result>(path: string, content: string, read: (document: JsonObject) => Result): Result {
  try {
    const document = documentOf(content);
    const [apiVersion, kind] = [textAt(document, 'apiVersion') || 'v1', textAt(document, 'kind') || 'Config'];
    if (apiVersion !== 'v1' || kind !== 'Config') throw unregisteredKindError(apiVersion, kind);
    return read(decodeTyped(sortMembers(document) as JsonObject, config).value);
  } catch (error) {
    if (!(error instanceof ConfigurationFileError)) throw error;
    throw new KubeconfigError(`error loading config file ${JSON.stringify(path)}: ${error.message}`, { cause: error });
  }
}

function documentOf(content: string): JsonObject {
  let value: Json;
  try {
    value = parseYaml(content).value ?? {};
  } catch (error) {
    if (error instanceof YamlSyntaxError) throw new ConfigurationFileError(error.message, { cause: error });
    throw error;
  }
  if (isJsonObject(value)) return value;
  throw new ConfigurationFileError(notAnObjectError(value).message);
}

function currentContextOf(document: JsonObject): CurrentContext {
  const [clusters, users, contexts] = [
    readNamedEntries(document, 'clusters', 'cluster'),
    readNamedEntries(document, 'users', 'user'),
    readNamedEntries(document, 'contexts', 'context'),
  ];
  const name = textAt(document, 'current-context');
  const context = contexts.get(name);
  const [clusterName, userName] = [textAt(context ?? {}, 'cluster'), textAt(context ?? {}, 'user')];
  return {
    name,
    found: name === '' || context !== undefined,
    clusterName,
    userName,
    cluster: clusters.get(clusterName),
    user: users.get(userName) ?? {},
  };
}

const dataFields = ['certificate-authority-data', 'client-certificate-data', 'client-key-data'];

/** The entries of a list by name. @throws ConfigurationFileError */
function readNamedEntries(document: JsonObject, list: string, member: string): ReadonlyMap<string, JsonObject> {
  const entries = new Map<string, JsonObject>();
  for (const entry of objectsAt(document, list)) {
    const name = textAt(entry, 'name');
    if (entries.has(name)) throw new ConfigurationFileError(`duplicate name ${JSON.stringify(name)} in list of ${list}`);
    const body = recordAt(entry, member);
    for (const field of dataFields) validateBase64(textAt(body, field));
    entries.set(name, body);
  }
  return entries;
}

/** @throws ConfigurationFileError */
function validateBase64(data: string): void {
  try {
    checkBase64(data, 'standard');
  } catch (error) {
    if (error instanceof Base64Error) throw new ConfigurationFileError(error.message, { cause: error });
    throw error;
  }
}
