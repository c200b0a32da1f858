import { type ApiClient, ApiError } from '../../client/index.ts';
import {
  type corev1,
  corev1ConfigMaps,
  corev1PersistentVolumeClaims,
  corev1Secrets,
  nodev1RuntimeClasses,
} from '../../schema/api/index.ts';
import { containersOf } from './pod-state.ts';

/** The config map that the root CA publisher creates: clusters without a root CA have none. */
const rootCertificates = 'kube-root-ca.crt';

/** What a pod refers to and cannot be found. */
export interface References {
  /** Why volumes cannot be mounted: messages of FailedMount events; empty: they can. */
  readonly mountErrors: readonly string[];
  /** By container, why it cannot be configured: `configmap "a" not found`. */
  readonly configErrors: ReadonlyMap<string, string>;
  readonly missingPullSecrets: readonly string[];
  /** The handler of its RuntimeClass; empty: the default one. */
  readonly runtimeHandler: string;
  /** Why the RuntimeClass cannot be read. */
  readonly runtimeClassError?: string;
}

export const noReferences: References = { mountErrors: [], configErrors: new Map(), missingPullSecrets: [], runtimeHandler: '' };

/** Reads the objects to which a pod refers, as the kubelet of its node. */
export async function readReferences(pod: corev1.Pod, client: ApiClient): Promise<References> {
  const reader = new ReferenceReader(pod.metadata.namespace ?? '', client);
  const mountErrors: string[] = [];
  for (const volume of pod.spec.volumes ?? []) mountErrors.push(...(await mountError(volume, reader)));
  const configErrors = new Map<string, string>();
  for (const [container] of containersOf(pod)) {
    const error = await configError(container, reader);
    if (error !== undefined) configErrors.set(container.name, error);
  }
  const missingPullSecrets: string[] = [];
  for (const { name = '' } of pod.spec.imagePullSecrets ?? [])
    if (name !== '' && typeof (await reader.keysOf({ kind: 'secret', name })) === 'string') missingPullSecrets.push(name);
  return { mountErrors, configErrors, missingPullSecrets, ...(await readRuntimeHandler(pod, client)) };
}

/** Cf. pkg/kubelet/runtimeclass LookupRuntimeHandler. */
async function readRuntimeHandler(
  { spec: { runtimeClassName: name = '' } }: corev1.Pod,
  client: ApiClient,
): Promise<Pick<References, 'runtimeHandler' | 'runtimeClassError'>> {
  if (name === '') return { runtimeHandler: '' };
  try {
    return { runtimeHandler: (await client.resource(nodev1RuntimeClasses).get({ name })).handler };
  } catch (error) {
    return { runtimeHandler: '', runtimeClassError: messageOf(error, `runtimeclass.node.k8s.io "${name}" not found`) };
  }
}

interface Reference {
  readonly kind: 'configmap' | 'secret';
  readonly name: string;
  readonly keys?: readonly string[];
  readonly optional?: boolean;
}

/** Reads each object once. */
class ReferenceReader {
  readonly namespace: string;
  readonly #client: ApiClient;
  readonly #read = new Map<string, Promise<readonly string[] | string>>();

  constructor(namespace: string, client: ApiClient) {
    this.namespace = namespace;
    this.#client = client;
  }

  /** The keys of the object, or why it cannot be read. */
  keysOf({ kind, name }: Reference): Promise<readonly string[] | string> {
    const id = `${kind}/${name}`;
    const known = this.#read.get(id) ?? this.#load(kind, name);
    this.#read.set(id, known);
    return known;
  }

  async #load(kind: Reference['kind'], name: string): Promise<readonly string[] | string> {
    const key = { namespace: this.namespace, name };
    try {
      if (kind === 'secret') return Object.keys((await this.#client.resource(corev1Secrets).get(key)).data ?? {});
      const { data = {}, binaryData = {} } = await this.#client.resource(corev1ConfigMaps).get(key);
      return [...Object.keys(data), ...Object.keys(binaryData)];
    } catch (error) {
      return messageOf(error, `${kind} "${name}" not found`);
    }
  }

  /** Why a claim cannot be mounted; undefined: it can. */
  async claimError(name: string): Promise<string | undefined> {
    const prefix = `error processing PVC ${this.namespace}/${name}`;
    try {
      const { status } = await this.#client.resource(corev1PersistentVolumeClaims).get({ namespace: this.namespace, name });
      return status.phase === 'Bound' ? undefined : `${prefix}: PVC is not bound`;
    } catch (error) {
      return `${prefix}: failed to fetch PVC from API server: ${messageOf(error, `persistentvolumeclaims "${name}" not found`)}`;
    }
  }
}

function messageOf(error: unknown, missing: string): string {
  if (!(error instanceof ApiError)) throw error;
  return error.status === 404 ? missing : error.message;
}

async function mountError(volume: corev1.Volume, reader: ReferenceReader): Promise<readonly string[]> {
  const { name, persistentVolumeClaim: claim } = volume;
  if (claim) {
    const error = await reader.claimError(claim.claimName);
    const unmounted = `unmounted volumes=[${name}], unattached volumes=[], failed to process volumes=[${name}]`;
    return error === undefined ? [] : [`Unable to attach or mount volumes: ${unmounted}: ${error}`];
  }
  const problems: string[] = [];
  for (const reference of referencesOf(volume)) {
    const keys = await reader.keysOf(reference);
    if (typeof keys === 'string') {
      if (!reference.optional) problems.push(keys);
    } else {
      const missing = (reference.keys ?? []).find((key) => !keys.includes(key));
      const what = reference.kind === 'secret' ? 'references non-existent secret key' : 'configmap references non-existent config key';
      if (missing !== undefined && !reference.optional) problems.push(`${what}: ${missing}`);
    }
  }
  if (problems.length === 0) return [];
  const text = problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`;
  return [`MountVolume.SetUp failed for volume "${name}" : ${text}`];
}

function referencesOf({ configMap, secret, projected }: corev1.Volume): readonly Reference[] {
  const list: (Reference | undefined)[] = [
    configMap && referenceOf('configmap', configMap.name, configMap.items, configMap.optional),
    secret && referenceOf('secret', secret.secretName, secret.items, secret.optional),
    ...(projected?.sources ?? []).flatMap((source) => [
      source.configMap && referenceOf('configmap', source.configMap.name, source.configMap.items, source.configMap.optional),
      source.secret && referenceOf('secret', source.secret.name, source.secret.items, source.secret.optional),
    ]),
  ];
  return list.filter((reference): reference is Reference => reference !== undefined && reference.name !== rootCertificates);
}

const referenceOf = (kind: Reference['kind'], name = '', items: readonly corev1.KeyToPath[] = [], optional = false): Reference => ({
  kind,
  name,
  keys: items.map(({ key }) => key),
  optional,
});

/** Why the environment of a container cannot be made. Cf. pkg/kubelet makeEnvironmentVariables. */
async function configError({ env = [], envFrom = [] }: corev1.Container, reader: ReferenceReader): Promise<string | undefined> {
  const references = [
    ...envFrom.map(({ configMapRef, secretRef }) => [undefined, configMapRef, secretRef] as const),
    ...env.map(({ valueFrom: { configMapKeyRef, secretKeyRef } = {} }) => {
      const { key } = configMapKeyRef ?? secretKeyRef ?? {};
      return [key, configMapKeyRef, secretKeyRef] as const;
    }),
  ];
  for (const [key, configMap, secret] of references) {
    const reference = configMap ?? secret;
    if (!reference || reference.optional) continue;
    const { name = '' } = reference;
    const keys = await reader.keysOf({ kind: configMap ? 'configmap' : 'secret', name });
    if (typeof keys === 'string') return keys;
    const object = `${configMap ? 'ConfigMap' : 'Secret'} ${reader.namespace}/${name}`;
    if (key !== undefined && !keys.includes(key)) return `couldn't find key ${key} in ${object}`;
  }
  return undefined;
}
