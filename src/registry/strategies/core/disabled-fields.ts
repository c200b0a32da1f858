import { type ApiObject, type FeatureGates, type Json, type JsonObject, recordAt } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { gatedPodFields, withoutGatedFields } from '../gated-fields.ts';
import { withMembers } from '../kind-row.ts';

/**
 * Silently drops fields of disabled features, unless the stored object already has them.
 * Cf. upstream DropDisabledPodFields.
 */
function withoutDisabledFields(spec: JsonObject, old: JsonObject | undefined, gates: FeatureGates): JsonObject {
  let next = withoutGatedFields(spec, old, gatedPodFields, gates);
  if (!gates.enabled('ImageVolume') && !usesImageVolumes(old)) next = withoutImageVolumes(next);
  return gates.enabled('ContainerRestartRules') || usesRestartRules(old) ? next : withoutRestartRules(next);
}

type PodSpec = Decoded<corev1.PodSpec>;
type Container = Decoded<corev1.Container>;

const usesImageVolumes = (spec: PodSpec | undefined): boolean => spec?.volumes?.some(({ image }) => image !== undefined) ?? false;

function withoutImageVolumes(spec: PodSpec): JsonObject {
  if (!usesImageVolumes(spec)) return spec;
  const { volumes = [] } = spec;
  const dropped = new Set(volumes.filter(({ image }) => image !== undefined).map(({ name }) => name));
  const withoutMounts = (container: Container): JsonObject => {
    const mounts = container.volumeMounts?.filter(({ name }) => !dropped.has(name));
    return withMembers(container, { volumeMounts: mounts?.length ? mounts : undefined });
  };
  const remaining = volumes.filter(({ image }) => image === undefined);
  const lists = (['initContainers', 'containers', 'ephemeralContainers'] as const).filter((list) => spec[list] !== undefined);
  return withMembers(spec, {
    volumes: remaining.length > 0 ? remaining : undefined,
    ...Object.fromEntries(lists.map((list) => [list, (spec[list] ?? []).map(withoutMounts)])),
  });
}

const hasRestartRules = ({ restartPolicy, restartPolicyRules }: Container): boolean =>
  restartPolicy !== undefined || restartPolicyRules !== undefined;
const restartsOnlyAlways = ({ restartPolicy, restartPolicyRules }: Container): boolean =>
  restartPolicyRules === undefined && (restartPolicy === undefined || restartPolicy === 'Always');

function usesRestartRules({ containers, ephemeralContainers = [], initContainers = [] }: PodSpec = {}): boolean {
  const others: readonly Container[] = [...(containers ?? []), ...ephemeralContainers];
  return others.some(hasRestartRules) || !initContainers.every(restartsOnlyAlways);
}

/** Without restart rules only init containers have a restart policy, and it can only be Always. */
function withoutRestartRules(spec: PodSpec): JsonObject {
  if (!usesRestartRules(spec)) return spec;
  const { containers, initContainers: initial = [], ephemeralContainers: ephemeral = [] } = spec;
  const plain = ({ restartPolicy: _, restartPolicyRules: __, ...rest }: Container): JsonObject => rest;
  const changes: Record<string, Json> = { containers: (containers ?? []).map(plain) };
  const always = (container: Container): JsonObject => ({ ...plain(container), restartPolicy: 'Always' });
  if (initial.length > 0) changes['initContainers'] = initial.map((one) => (one.restartPolicy === 'Always' ? always(one) : plain(one)));
  if (ephemeral.length > 0) changes['ephemeralContainers'] = ephemeral.map(plain);
  return { ...spec, ...changes };
}

/** `path`: of the kind's pod spec, such as `['spec', 'template', 'spec']`. */
export function withoutDisabledFieldsAt(
  object: ApiObject,
  old: ApiObject | undefined,
  path: readonly string[],
  gates: FeatureGates,
): ApiObject {
  return changedAt(object, old, path, gates) as ApiObject;
}

function changedAt(object: JsonObject, old: JsonObject | undefined, path: readonly string[], gates: FeatureGates): JsonObject {
  const [name, ...rest] = path;
  if (name === undefined) return withoutDisabledFields(object, old, gates);
  const inner = recordAt(object, name);
  const next = changedAt(inner, old === undefined ? undefined : recordAt(old, name), rest, gates);
  return next === inner ? object : { ...object, [name]: next };
}
