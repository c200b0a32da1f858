import type { corev1 } from '../../schema/api/index.ts';
import { type FieldContext, fieldValue, resourceValue } from '../environment/field-values.ts';
import type { PodObjects } from '../environment/pod-objects.ts';
import { addKeys, cleanPath, type KeyedContent, type Payload } from './payload.ts';

const defaultFileMode = 0o644;

/** Clusters without a root CA have no such config map. */
const rootCertificates = 'kube-root-ca.crt';

/** A missing object or key, which is not optional. */
export class MissingSource extends Error {
  override readonly name = 'MissingSource';
}

export interface PayloadContext {
  readonly objects: PodObjects;
  readonly fields: FieldContext;
  /** The current token of a projection. */
  token(projection: corev1.ServiceAccountTokenProjection): Promise<string>;
}

/** The files of a volume of kind configMap, secret, downwardAPI or projected; undefined: it is of another kind. @throws MissingSource */
export async function payloadOf(volume: corev1.Volume, context: PayloadContext): Promise<Payload | undefined> {
  const { configMap, secret, downwardAPI, projected } = volume;
  const payload: Payload = new Map();
  if (configMap) await addConfigMap(payload, configMap, configMap.defaultMode, context);
  else if (secret) await addSecret(payload, { ...secret, name: secret.secretName ?? '' }, secret.defaultMode, context);
  else if (downwardAPI) addFields(payload, downwardAPI.items, downwardAPI.defaultMode, context);
  else if (projected) for (const source of projected.sources ?? []) await addSource(payload, source, projected.defaultMode, context);
  else return undefined;
  return payload;
}

async function addSource(
  payload: Payload,
  source: corev1.VolumeProjection,
  mode: number | undefined,
  context: PayloadContext,
): Promise<void> {
  if (source.configMap) await addConfigMap(payload, source.configMap, mode, context);
  if (source.secret) await addSecret(payload, source.secret, mode, context);
  if (source.downwardAPI) addFields(payload, source.downwardAPI.items, mode, context);
  if (source.serviceAccountToken) await addToken(payload, source.serviceAccountToken, mode, context);
}

interface KeyedSource {
  readonly name?: string;
  readonly items?: readonly corev1.KeyToPath[];
  readonly optional?: boolean;
}

async function addConfigMap(payload: Payload, source: KeyedSource, mode: number | undefined, { objects }: PayloadContext): Promise<void> {
  addContent(payload, source, await objects.configMap(source.name ?? ''), mode);
}

async function addSecret(payload: Payload, source: KeyedSource, mode: number | undefined, { objects }: PayloadContext): Promise<void> {
  addContent(payload, source, await objects.secret(source.name ?? ''), mode);
}

function addContent(
  payload: Payload,
  { name, items, optional }: KeyedSource,
  content: KeyedContent | undefined,
  mode = defaultFileMode,
): void {
  if (content) addKeys(payload, content, items, mode);
  else if (!optional && name !== rootCertificates) throw new MissingSource(`${name} not found`);
}

function addFields(
  payload: Payload,
  items: readonly corev1.DownwardAPIVolumeFile[] = [],
  defaultMode: number = defaultFileMode,
  { fields }: PayloadContext,
): void {
  const { initContainers, containers } = fields.pod.spec;
  for (const { path, mode = defaultMode, fieldRef, resourceFieldRef } of items) {
    const container = [...(initContainers ?? []), ...(containers ?? [])].find(({ name }) => name === resourceFieldRef?.containerName);
    const text = fieldRef
      ? fieldValue(fieldRef.fieldPath, fields)
      : resourceFieldRef && container && resourceValue(resourceFieldRef, container, fields);
    payload.set(cleanPath(path), { bytes: new TextEncoder().encode(text ?? ''), mode });
  }
}

/** Only the user of the containers may read a token, if they all have the same. Cf. pkg/volume/projected collectData. */
async function addToken(
  payload: Payload,
  projection: corev1.ServiceAccountTokenProjection,
  defaultMode: number = defaultFileMode,
  context: PayloadContext,
): Promise<void> {
  const { spec } = context.fields.pod;
  const uid = commonUser(spec);
  const isPrivate = uid !== undefined || spec.securityContext?.fsGroup !== undefined;
  const bytes = new TextEncoder().encode(await context.token(projection));
  payload.set(cleanPath(projection.path), { bytes, mode: isPrivate ? 0o600 : defaultMode, ...(uid === undefined ? {} : { uid }) });
}

function commonUser({ securityContext, initContainers, containers }: corev1.PodSpec): number | undefined {
  const users = [...(initContainers ?? []), ...(containers ?? [])].map(
    (container) => container.securityContext?.runAsUser ?? securityContext?.runAsUser,
  );
  return users.every((user) => user === users[0]) ? users[0] : undefined;
}
