import { collectErrors, forbiddenField, invalid, type Json, type JsonObject, required } from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import { int64At, isSemanticallyEqual, semanticKey } from '../../accessors.ts';
import { type Errors, none, validateRange } from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';
import type { ValidationContext } from '../../kind-validator.ts';
import { validateTolerations } from './scheduling.ts';

/** Only a few fields of a pod are mutable. Cf. upstream ValidatePodUpdate, after metadata and spec themselves. */
export function validatePodUpdate(next: Decoded<corev1.Pod>, old: Decoded<corev1.Pod>, context: ValidationContext): Errors {
  const [spec, before] = [next.spec ?? {}, old.spec ?? {}];
  const errors = [];
  for (const list of ['containers', 'initContainers'] as const) {
    // Images and other fields are compared only when the containers match.
    if ((spec[list] ?? []).length !== (before[list] ?? []).length) {
      return [...errors, forbiddenField(`spec.${list}`, 'pod updates may not add or remove containers')];
    }
    errors.push(...validateImages(spec, list));
  }
  const deadline = validateDeadlineUpdate(spec, before);
  errors.push(...deadline.errors);
  if (deadline.stop) return errors;
  errors.push(
    ...validateTolerationsUpdate(spec, before),
    ...validateGatesUpdate(spec, before),
    ...validateGatedPodUpdate(spec, before, context),
  );
  return [...errors, ...validateOthersUnchanged(spec, before, context)];
}

function validateImages(spec: Decoded<corev1.PodSpec>, list: 'containers' | 'initContainers'): Errors {
  return collectErrors(spec[list] ?? [], (container, index) => {
    const [image, path] = [container.image ?? '', `spec.${list}[${index}].image`];
    if (image === '') return [required(path, '')];
    return image === image.trim() ? none : [invalid(path, image, 'must not have leading or trailing whitespace')];
  });
}

const maxDeadlineSeconds = 2 ** 31 - 1;

function validateDeadlineUpdate(spec: JsonObject, before: JsonObject): { readonly errors: Errors; readonly stop: boolean } {
  const path = 'spec.activeDeadlineSeconds';
  const [now, then] = [int64At(spec, 'activeDeadlineSeconds'), int64At(before, 'activeDeadlineSeconds')];
  if (now === undefined) {
    return {
      errors: then === undefined ? none : [invalid(path, null, 'must not update from a positive integer to nil value')],
      stop: false,
    };
  }
  const outside = validateRange(now, 0, maxDeadlineSeconds, path);
  const later = then !== undefined && then < now ? [invalid(path, now, 'must be less than or equal to previous value')] : none;
  const errors = outside.length > 0 ? outside : later;
  return { errors, stop: errors.length > 0 };
}

/** Tolerations may be added; in existing ones only tolerationSeconds may change. */
function validateTolerationsUpdate(spec: Decoded<corev1.PodSpec>, before: Decoded<corev1.PodSpec>): Errors {
  const path = 'spec.tolerations';
  const now = new Set((spec.tolerations ?? []).map(identityOf));
  const unchanged = (before.tolerations ?? []).every((one) => now.has(identityOf(one)));
  return unchanged
    ? validateTolerations(spec, path)
    : [forbiddenField(path, 'existing toleration can not be modified except its tolerationSeconds')];
}

function identityOf({ tolerationSeconds: _, ...rest }: JsonObject): string {
  return semanticKey(rest);
}

function validateGatesUpdate(spec: Decoded<corev1.PodSpec>, before: Decoded<corev1.PodSpec>): Errors {
  const then = new Set((before.schedulingGates ?? []).map((gate) => gate.name ?? ''));
  return collectErrors(spec.schedulingGates ?? [], (gate, index) => {
    const name = gate.name ?? '';
    if (then.has(name)) return none;
    return [forbiddenField(`spec.schedulingGates[${index}].name`, `only deletion is allowed, but found new scheduling gate '${name}'`)];
  });
}

function isGated(before: Decoded<corev1.PodSpec>): boolean {
  return (before.schedulingGates ?? []).length > 0;
}

/** The node affinity of a gated pod may only become stricter. */
function validateGatedPodUpdate(spec: Decoded<corev1.PodSpec>, before: Decoded<corev1.PodSpec>, context: ValidationContext): Errors {
  if (!isGated(before)) return none;
  const [now, then] = [spec.nodeSelector ?? {}, before.nodeSelector ?? {}];
  const unchanged = Object.entries(then).every(([key, value]) => now[key] === value);
  const selector = unchanged
    ? none
    : [invalid('spec.nodeSelector', now, 'only additions to spec.nodeSelector are allowed (no mutations or deletions)')];
  return [...selector, ...validateTermsUpdate(spec, before, context)];
}

const nodeTerms = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';

function termsOf(spec: Decoded<corev1.PodSpec>): readonly Decoded<corev1.NodeSelectorTerm>[] {
  const affinity = spec.affinity?.nodeAffinity ?? {};
  return affinity.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
}

const nodeTermLists = ['matchExpressions', 'matchFields'] as const;

function validateTermsUpdate(spec: Decoded<corev1.PodSpec>, before: Decoded<corev1.PodSpec>, { internal }: ValidationContext): Errors {
  const [now, then] = [termsOf(spec), termsOf(before)];
  const shown = (term: JsonObject): Json => internal.value(term, 'core/v1.NodeSelectorTerm');
  if (then.length === 0) return none;
  if (now.length !== then.length) {
    const terms = now.length === 0 ? null : now.map(shown);
    return [invalid(nodeTerms, terms, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed')];
  }
  return collectErrors(then, (term, index) => {
    const next = now[index] ?? {};
    const unchanged = nodeTermLists.every((list) => startsWithItems(next[list] ?? [], term[list] ?? []));
    const empty = nodeTermLists.every((list) => (term[list] ?? []).length === 0);
    const same = empty ? isSemanticallyEqual(next, term) : unchanged;
    return same ? none : [invalid(`${nodeTerms}[${index}]`, shown(next), 'only additions are allowed (no mutations or deletions)')];
  });
}

function startsWithItems(list: readonly JsonObject[], start: readonly JsonObject[]): boolean {
  return list.length >= start.length && start.every((one, index) => isSemanticallyEqual(one, list[index]));
}

const mutableFieldsError =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

function validateOthersUnchanged(spec: Decoded<corev1.PodSpec>, before: Decoded<corev1.PodSpec>, { internal }: ValidationContext): Errors {
  const restored = restoreMutableFields(spec, before);
  if (internal.isEqual(restored, before, 'core/v1.PodSpec')) return none;
  const now = internal.value(restored, 'core/v1.PodSpec');
  const then = internal.value(before, 'core/v1.PodSpec');
  return [forbiddenField('spec', `${mutableFieldsError}\n${internal.difference(then, now)}`)];
}

/** Replaces mutable fields with the old ones. */
function restoreMutableFields(spec: Decoded<corev1.PodSpec>, before: Decoded<corev1.PodSpec>): JsonObject {
  const withOldImages = (list: 'containers' | 'initContainers'): Json => {
    const then = before[list] ?? [];
    const containers = (spec[list] ?? []).map((container, index) => {
      const image = then[index]?.image ?? '';
      return container.image === image ? container : { ...container, image };
    });
    return containers.length > 0 ? containers : null;
  };
  const grace = before.terminationGracePeriodSeconds ?? 0;
  const relaxed = grace < 0 && spec.terminationGracePeriodSeconds === 1;
  return {
    ...spec,
    containers: withOldImages('containers'),
    initContainers: withOldImages('initContainers'),
    activeDeadlineSeconds: before.activeDeadlineSeconds ?? null,
    schedulingGates: before.schedulingGates ?? null,
    tolerations: before.tolerations ?? null,
    ...(relaxed ? { terminationGracePeriodSeconds: grace } : {}),
    ...(isGated(before) ? { nodeSelector: before.nodeSelector ?? null, affinity: restoreNodeAffinity(spec, before) } : {}),
  };
}

/** Replaces the node affinity with the old one, but not pod affinity. */
function restoreNodeAffinity(spec: Decoded<corev1.PodSpec>, before: Decoded<corev1.PodSpec>): Json {
  const [affinity, was] = [spec.affinity, before.affinity];
  const nodes = was?.nodeAffinity;
  if (!affinity) return nodes === undefined ? null : { nodeAffinity: nodes };
  if (!was && affinity.podAffinity === undefined && affinity.podAntiAffinity === undefined) return null;
  return { ...affinity, nodeAffinity: nodes ?? null };
}
