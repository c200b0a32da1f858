import type { WebhookConnection } from '../../authz/index.ts';
import { type PluginHost, validateKeyPair } from '../../client/exec-plugin/index.ts';
import type { Clock, OutboundTls } from '../../env/index.ts';
import { base64ToBytes, bytesToBase64, isJsonObject, type JsonObject, ownMember, type Product, textAt } from '../../meta/index.ts';
import type { WebhookUser } from '../access/webhook-post.ts';
import { type UsableContext, validateContext } from './checks.ts';
import { createPluginCredentials, createTokenFileCredentials } from './credentials.ts';
import { KubeconfigError, readCurrentContext } from './document.ts';

export interface WebhookConfigOptions {
  readonly userAgent: string;
  readonly product: Product;
  readonly clock: Clock;
  /** Reads a file of the kubeconfig as text; rejects with the system's message. */
  readonly readFile: (path: string) => Promise<string>;
  /** Runs credential plugins. */
  readonly plugins: PluginHost;
}

/**
 * The connection of a kubeconfig's current context: URL, TLS and credentials, with the same user options as kubectl. Everything is
 * validated before the first request. @throws KubeconfigError
 */
export async function readWebhookConnection(path: string, content: string, parts: WebhookConfigOptions): Promise<WebhookConnection> {
  const pathOf = resolverOf(path);
  const rename = (text: string): string => parts.product.rename(text);
  const context = await validateContext({
    context: readCurrentContext(path, content),
    pathOf,
    problemOf: (file) => problemOf(parts, file),
    rename,
  });
  const url = addressOf(textAt(context.cluster, 'server'));
  const target = { url, headers: { 'user-agent': parts.userAgent, ...impersonation(context.user) } };
  // Without TLS no credentials are sent, so they are not read.
  if (!url.startsWith('https:')) return { ...target, tls: noTls, credentials: undefined };
  const reader: ConnectionContext = { context, parts, pathOf };
  const credentials = await credentialsOf(reader);
  const tls = await tlsOf(reader);
  rejectTwoMethods(context.user);
  return { ...target, tls, credentials };
}

/** The headers and credentials of one user of a kubeconfig, for servers that it does not name. @throws KubeconfigError */
export async function connectUser(name: string, user: JsonObject, { path, ...parts }: UserOptions): Promise<WebhookUser> {
  if (isJsonObject(user['auth-provider'])) throw new KubeconfigError('auth provider not supported');
  const context: UsableContext = { found: true, name: '', clusterName: '', cluster: {}, userName: name, user };
  const reader: ConnectionContext = { context, parts, pathOf: resolverOf(path) };
  const [credentials, identity] = [await credentialsOf(reader), await identityOf(reader)];
  rejectTwoMethods(user);
  return { headers: { 'user-agent': parts.userAgent, ...impersonation(user) }, credentials, identity };
}

export interface UserOptions extends WebhookConfigOptions {
  /** The path of the kubeconfig. */
  readonly path: string;
}

/** Resolves the paths in a kubeconfig. */
function resolverOf(path: string): (written: string) => string {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return (written) => (written.startsWith('/') ? written : folder + written);
}

interface ConnectionContext {
  readonly context: UsableContext;
  readonly parts: WebhookConfigOptions;
  readonly pathOf: (written: string) => string;
}

const noTls: OutboundTls = { authorities: undefined, identity: undefined, serverName: undefined, unverified: false };

async function problemOf({ readFile }: WebhookConfigOptions, file: string): Promise<string | undefined> {
  try {
    await readFile(file);
    return undefined;
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}

/** The URL of a server; a host without scheme is used without TLS. @throws KubeconfigError */
function addressOf(server: string): string {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(server);
  const address = hasScheme ? server : `http://${server}`;
  // Without a scheme there is no path.
  if (!URL.canParse(address) || (!hasScheme && !/^[^/]*\/?$/.test(server)))
    throw new KubeconfigError(`host must be a URL or a host:port pair: ${JSON.stringify(server)}`);
  const url = new URL(address);
  url.search = '';
  url.hash = '';
  return url.href;
}

function impersonation(user: JsonObject): Readonly<Record<string, string | readonly string[]>> {
  const [name, uid, groups, extra] = [textAt(user, 'as'), textAt(user, 'as-uid'), user['as-groups'], user['as-user-extra']];
  if (name === '') return {};
  const extras = isJsonObject(extra) ? Object.entries(extra) : [];
  return {
    'impersonate-user': name,
    ...(uid === '' ? {} : { 'impersonate-uid': uid }),
    ...(Array.isArray(groups) && groups.length > 0 ? { 'impersonate-group': groups.map(String) } : {}),
    ...Object.fromEntries(
      extras.map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key)}`, Array.isArray(values) ? values.map(String) : []]),
    ),
  };
}

async function credentialsOf(reader: ConnectionContext): Promise<WebhookConnection['credentials']> {
  const { context, parts, pathOf } = reader;
  const { user } = context;
  const [token, file, name, exec] = [textAt(user, 'token'), textAt(user, 'tokenFile'), textAt(user, 'username'), user['exec']];
  rejectAuthProvider(user);
  const plugin = isJsonObject(exec) ? await createPluginCredentials(exec, { ...parts, context, pathOf }) : undefined;
  if (file !== '') return createTokenFileCredentials(pathOf(file), token, parts);
  if (token !== '') return staticCredentials(`Bearer ${token}`);
  if (name !== '') return staticCredentials(`Basic ${bytesToBase64(new TextEncoder().encode(`${name}:${textAt(user, 'password')}`))}`);
  const hasCertificate = textAt(user, 'client-certificate') !== '' || textAt(user, 'client-certificate-data') !== '';
  return hasCertificate ? undefined : plugin;
}

function staticCredentials(authorization: string): WebhookConnection['credentials'] {
  return { current: () => Promise.resolve({ headers: { authorization }, identity: undefined }), invalidate: () => Promise.resolve() };
}

/** Removed auth providers with their replacements. */
const removedProviders: Readonly<Record<string, readonly [plugin: string, more: string]>> = {
  gcp: ['"gke-gcloud-auth-plugin"', 'https://cloud.google.com/blog/products/containers-kubernetes/kubectl-auth-changes-in-gke'],
  azure: [
    'https://github.com/Azure/kubelogin',
    'https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins',
  ],
};

function rejectAuthProvider(user: JsonObject): void {
  const provider = user['auth-provider'];
  if (!isJsonObject(provider)) return;
  const name = textAt(provider, 'name');
  const removed = ownMember(removedProviders, name);
  if (!removed) throw new KubeconfigError(`no Auth Provider found for name ${JSON.stringify(name)}`);
  const [plugin, more] = removed;
  throw new KubeconfigError(
    `The ${name} auth plugin has been removed.\nPlease use the ${plugin} kubectl/client-go credential plugin instead.\nSee ${more} for further details`,
  );
}

async function tlsOf(reader: ConnectionContext): Promise<OutboundTls> {
  const { cluster } = reader.context;
  const unverified = cluster['insecure-skip-tls-verify'] === true;
  const hasAuthorities = textAt(cluster, 'certificate-authority') !== '' || textAt(cluster, 'certificate-authority-data') !== '';
  if (unverified && hasAuthorities) throw new KubeconfigError('specifying a root certificates file with the insecure flag is not allowed');
  const authorities = await contentOf(reader, 'cluster', 'certificate-authority');
  if (authorities !== undefined && authorities !== '' && !/-----BEGIN CERTIFICATE-----/.test(authorities))
    throw new KubeconfigError('unable to load root certificates: unable to parse bytes as PEM block');
  return {
    authorities: authorities || undefined,
    unverified,
    identity: await identityOf(reader),
    serverName: textAt(cluster, 'tls-server-name') || undefined,
  };
}

async function identityOf(reader: ConnectionContext): Promise<OutboundTls['identity']> {
  const { user } = reader.context;
  const certificate = await contentOf(reader, 'user', 'client-certificate');
  const key = await contentOf(reader, 'user', 'client-key');
  if (certificate === undefined || key === undefined) return undefined;
  // Files may be replaced before they are used, so they are validated then.
  const isData = textAt(user, 'client-certificate-data') !== '' || textAt(user, 'client-key-data') !== '';
  const problem = isData ? validateKeyPair(certificate, key) : undefined;
  if (problem !== undefined) throw new KubeconfigError(problem);
  return { certificate, key };
}

async function contentOf(
  { context, parts, pathOf }: ConnectionContext,
  section: 'cluster' | 'user',
  field: string,
): Promise<string | undefined> {
  const data = textAt(context[section], `${field}-data`);
  if (data !== '') return new TextDecoder().decode(base64ToBytes(data));
  const file = textAt(context[section], field);
  return file === '' ? undefined : parts.readFile(pathOf(file));
}

function rejectTwoMethods(user: JsonObject): void {
  const hasName = textAt(user, 'username') !== '' || textAt(user, 'password') !== '';
  if (hasName && textAt(user, 'tokenFile') !== '') throw new KubeconfigError('username/password or bearer token may be set, but not both');
}
