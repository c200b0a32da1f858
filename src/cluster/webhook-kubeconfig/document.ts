import { decodeKubeconfig } from '../../client/kubeconfig/index.ts';
import { parseYaml, YamlSyntaxError } from '../../codec/index.ts';
import { type JsonObject, objectsAt, recordAt, textAt, UnreadableDocument } from '../../meta/index.ts';

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
    return read(decodeKubeconfig(parseYaml(content).value ?? {}));
  } catch (error) {
    if (!(error instanceof UnreadableDocument || error instanceof YamlSyntaxError)) throw error;
    throw new KubeconfigError(`error loading config file ${JSON.stringify(path)}: ${error.message}`, { cause: error });
  }
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

/** The entries of a list by name. */
function readNamedEntries(document: JsonObject, list: string, member: string): ReadonlyMap<string, JsonObject> {
  return new Map(objectsAt(document, list).map((entry) => [textAt(entry, 'name'), recordAt(entry, member)]));
}
