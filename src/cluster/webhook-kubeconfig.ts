import type { WebhookConnection } from '../authz/index.ts';
import { isJsonObject, type JsonObject, textAt } from '../meta/index.ts';
import { ConfigurationFileError, readTypedFile } from './configuration-file.ts';

/** A client configuration that leads nowhere; the message is the real server's. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}

/** Reads files that a client configuration names, as texts. */
type ReadFile = (path: string) => Promise<string>;

/** Where the current context of a client configuration leads, and how one shows who asks. @throws KubeconfigError */
export async function readWebhookConnection(
  path: string,
  content: string,
  userAgent: string,
  readFile: ReadFile,
): Promise<WebhookConnection> {
  const config = documentOf(path, content);
  const contextName = textAt(config, 'current-context');
  const context = named(config, 'contexts', contextName, 'context');
  if (!context) {
    throw new KubeconfigError(
      contextName === ''
        ? 'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable'
        : `invalid configuration: context was not found for specified context: ${contextName}`,
    );
  }
  const clusterName = textAt(context, 'cluster');
  const cluster = named(config, 'clusters', clusterName, 'cluster');
  if (!cluster)
    throw new KubeconfigError(
      `invalid configuration: cluster ${JSON.stringify(clusterName)} was not found for context ${JSON.stringify(contextName)}`,
    );
  const userName = textAt(context, 'user');
  const user = userName === '' ? {} : named(config, 'users', userName, 'user');
  if (!user)
    throw new KubeconfigError(
      `invalid configuration: user ${JSON.stringify(userName)} was not found for context ${JSON.stringify(contextName)}`,
    );
  const folder = path.replace(/[^/]*$/, '');
  const contentOf = async (holder: JsonObject, field: string): Promise<string | undefined> => {
    const data = textAt(holder, `${field}-data`);
    if (data !== '') return new TextDecoder().decode(Uint8Array.from(atob(data), (char) => char.charCodeAt(0)));
    const file = textAt(holder, field);
    return file === '' ? undefined : readFile(file.startsWith('/') ? file : `${folder}${file}`);
  };
  const [authorities, certificate, key] = [
    await contentOf(cluster, 'certificate-authority'),
    await contentOf(user, 'client-certificate'),
    await contentOf(user, 'client-key'),
  ];
  const authorization = await authorizationOf(user, (file) => readFile(file.startsWith('/') ? file : `${folder}${file}`));
  return {
    url: textAt(cluster, 'server'),
    headers: { 'user-agent': userAgent, ...(authorization === undefined ? {} : { authorization }) },
    tls: {
      authorities,
      identity: certificate === undefined || key === undefined ? undefined : { certificate, key },
      serverName: textAt(cluster, 'tls-server-name') || undefined,
      unverified: cluster['insecure-skip-tls-verify'] === true,
    },
  };
}

async function authorizationOf(user: JsonObject, readFile: ReadFile): Promise<string | undefined> {
  const [token, file, name] = [textAt(user, 'token'), textAt(user, 'tokenFile'), textAt(user, 'username')];
  if (token !== '') return `Bearer ${token}`;
  if (file !== '') return `Bearer ${(await readFile(file)).trim()}`;
  return name === '' ? undefined : `Basic ${btoa(`${name}:${textAt(user, 'password')}`)}`;
}

function documentOf(path: string, content: string): JsonObject {
  try {
    return readTypedFile(content).document;
  } catch (error) {
    if (!(error instanceof ConfigurationFileError)) throw error;
    throw new KubeconfigError(`error loading config file ${JSON.stringify(path)}: ${error.message}`, { cause: error });
  }
}

function named(config: JsonObject, list: string, name: string, member: string): JsonObject | undefined {
  const entries = config[list];
  const found = Array.isArray(entries) ? entries.filter(isJsonObject).find((entry) => entry['name'] === name) : undefined;
  const value = found?.[member];
  return isJsonObject(value) ? value : undefined;
}
