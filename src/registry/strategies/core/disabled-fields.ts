import { type ApiObject, type FeatureGates, type Json, type JsonObject, objectsAt, recordAt } from '../../../meta/index.ts';
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

function usesImageVolumes(spec: JsonObject | undefined): boolean {
  return objectsAt(spec, 'volumes').some((volume) => volume['image'] !== undefined);
}

function withoutImageVolumes(spec: JsonObject): JsonObject {
  if (!usesImageVolumes(spec)) return spec;
  const volumes = objectsAt(spec, 'volumes');
  const dropped = new Set(volumes.filter((volume) => volume['image'] !== undefined).map(({ name }) => name));
  const withoutMounts = (container: JsonObject): JsonObject => {
    const mounts = objectsAt(container, 'volumeMounts').filter(({ name }) => !dropped.has(name));
    return withMembers(container, { volumeMounts: mounts.length > 0 ? mounts : undefined });
  };
  const remaining = volumes.filter((volume) => volume['image'] === undefined);
  const lists = ['initContainers', 'containers', 'ephemeralContainers'].filter((list) => spec[list] !== undefined);
  return withMembers(spec, {
    volumes: remaining.length > 0 ? remaining : undefined,
    ...Object.fromEntries(lists.map((list) => [list, objectsAt(spec, list).map(withoutMounts)])),
  });
}

const hasRestartRules = (container: JsonObject): boolean =>
  container['restartPolicy'] !== undefined || container['restartPolicyRules'] !== undefined;
const restartsOnlyAlways = (container: JsonObject): boolean =>
  container['restartPolicyRules'] === undefined && (container['restartPolicy'] === undefined || container['restartPolicy'] === 'Always');

function usesRestartRules(spec: JsonObject | undefined): boolean {
  const others = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'ephemeralContainers')];
  return others.some(hasRestartRules) || !objectsAt(spec, 'initContainers').every(restartsOnlyAlways);
}

/** Without restart rules only init containers have a restart policy, and it can only be Always. */
function withoutRestartRules(spec: JsonObject): JsonObject {
  if (!usesRestartRules(spec)) return spec;
  const plain = ({ restartPolicy: _, restartPolicyRules: __, ...rest }: JsonObject): JsonObject => rest;
  const changes: Record<string, Json> = { containers: objectsAt(spec, 'containers').map(plain) };
  const [initial, ephemeral] = [objectsAt(spec, 'initContainers'), objectsAt(spec, 'ephemeralContainers')];
  const always = (container: JsonObject): JsonObject => ({ ...plain(container), restartPolicy: 'Always' });
  if (initial.length > 0) changes['initContainers'] = initial.map((one) => (one['restartPolicy'] === 'Always' ? always(one) : plain(one)));
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
