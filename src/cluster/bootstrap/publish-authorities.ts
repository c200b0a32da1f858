import type { FrontProxySettings } from '../../authn/index.ts';
import { type ApiClient, InformerFactory, runWorkers, WorkQueue } from '../../client/index.ts';
import type { Clock, Log } from '../../env/index.ts';
import { type Product, sameJson } from '../../meta/index.ts';
import { type corev1, corev1ConfigMaps } from '../../schema/api/index.ts';
import type { Metrics } from '../../server/index.ts';
import { formatPem, pemCertificates } from '../../x509/index.ts';
import { authoritiesKey, authoritiesName } from './published-certificates.ts';

/** The authorities by which a server authenticates certificates. Cf. upstream ClusterAuthenticationInfo. */
export interface ClientAuthorities {
  /** PEM of `--client-ca-file`. */
  readonly clients: string | undefined;
  readonly frontProxy: FrontProxyAuthorities | undefined;
}

export interface FrontProxyAuthorities extends FrontProxySettings {
  /** PEM of `--requestheader-client-ca-file`. */
  readonly pem: string;
}

interface PublisherOptions {
  readonly client: ApiClient;
  readonly metrics: Pick<Metrics, 'addQueue'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly product: Product;
}

/**
 * Publishes the authorities for extension API servers, and restores them; several servers publish the union of theirs. The returned function
 * stops it. Cf. pkg/controlplane/controller/clusterauthenticationtrust.
 */
export function startAuthorityPublisher(
  authorities: ClientAuthorities,
  { client, metrics, clock, log, product }: PublisherOptions,
): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const own = { namespace: product.names.systemNamespace, name: authoritiesName };
  const informer = new InformerFactory(client, clock, signal).informer(corev1ConfigMaps, {
    namespace: own.namespace,
    fieldSelector: `metadata.name=${own.name}`,
  });
  const queue = new WorkQueue<string>({ clock, signal });
  metrics.addQueue('cluster_authentication_trust_controller', queue);
  const reconcile = async (key: string): Promise<void> => {
    const current = informer.store.get(key);
    const data = mergeAuthorities(current?.data ?? {}, authorities);
    if (current ? sameJson(data, current.data ?? {}) : Object.keys(data).length === 0) return;
    const writer = client.resource(corev1ConfigMaps);
    await (current ? writer.update({ ...current, data }) : writer.create({ metadata: own, data }));
  };
  const enqueue = (): void => queue.add(`${own.namespace}/${own.name}`);
  informer.addHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: enqueue });
  void informer.synced.then(() => {
    enqueue();
    runWorkers({ queue, workers: 1, reconcile, name: 'cluster_authentication_trust_controller', log, signal });
  });
  return () => ending.abort();
}

/**
 * The published authorities and those of this server; other entries are removed. Cf. combinedClusterAuthenticationInfo and getConfigMapDataFor.
 * @throws SyntaxError for published names or headers that are not JSON
 */
export function mergeAuthorities(
  published: NonNullable<corev1.ConfigMap['data']>,
  { clients = '', frontProxy }: ClientAuthorities,
): Readonly<Record<string, string>> {
  const certificates = (key: string, pem: string): string => {
    const current = published[key] ?? '';
    // As after each restart: a Service Worker does not load the module of certificates for it.
    return current === pem ? pem : unionOf(certificatesOf(current), certificatesOf(pem)).join('');
  };
  const clientBundle = certificates(authoritiesKey, clients);
  const proxyBundle = certificates(proxyAuthoritiesKey, frontProxy?.pem ?? '');
  const headers = Object.entries(proxyEntries).map(
    ([key, member]) => [key, unionOf(readTexts(published[key]), frontProxy?.[member] ?? [])] as const,
  );
  return {
    ...(clientBundle === '' ? {} : { [authoritiesKey]: clientBundle }),
    ...(proxyBundle === '' ? {} : { [proxyAuthoritiesKey]: proxyBundle, ...writtenTexts(headers) }),
  };
}

const proxyAuthoritiesKey = 'requestheader-client-ca-file';
const uidHeadersKey = 'requestheader-uid-headers';

/** The lists of names and headers, as JSON. */
const proxyEntries = {
  'requestheader-allowed-names': 'allowedNames',
  'requestheader-extra-headers-prefix': 'extraPrefixes',
  'requestheader-group-headers': 'groups',
  [uidHeadersKey]: 'uid',
  'requestheader-username-headers': 'username',
} as const satisfies Readonly<Record<string, keyof FrontProxySettings>>;

/** Headers for UIDs are published only if there are some: older servers have none. */
function writtenTexts(headers: readonly (readonly [key: string, texts: readonly string[]])[]): Readonly<Record<string, string>> {
  const written = headers.filter(([key, texts]) => key !== uidHeadersKey || texts.length > 0);
  return Object.fromEntries(written.map(([key, texts]) => [key, JSON.stringify(texts)]));
}

const unionOf = (a: readonly string[], b: readonly string[]): readonly string[] => [...new Set([...a, ...b])];

function readTexts(json: string | undefined): readonly string[] {
  const value: unknown = JSON.parse(json || '[]');
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** The certificates in a PEM text, each in PEM. */
function certificatesOf(pem: string): readonly string[] {
  return pemCertificates(pem).map((certificate) => formatPem('CERTIFICATE', certificate));
}
