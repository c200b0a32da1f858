import { forbiddenField, invalid, type Json, type JsonObject, required } from '../../../meta/index.ts';
import { type Errors, inRange, none } from '../checks.ts';
import type { ValidationContext } from '../kind-validator.ts';
import { isSame, numberAt, objectsAt, optionalRecordAt, recordAt, textAt, wholeAt } from '../reading.ts';
import { tolerations } from './scheduling.ts';

/** A pod stays as it is, but for a few fields. Cf. upstream ValidatePodUpdate, after metadata and spec themselves. */
export function podUpdate(next: JsonObject, old: JsonObject, context: ValidationContext): Errors {
  const [spec, before] = [recordAt(next, 'spec'), recordAt(old, 'spec')];
  const errors = [];
  for (const list of ['containers', 'initContainers']) {
    errors.push(...images(spec, list));
    // Without the same containers nothing else can be compared.
    if (objectsAt(spec, list).length !== objectsAt(before, list).length) {
      return [...errors, forbiddenField(`spec.${list}`, 'pod updates may not add or remove containers')];
    }
  }
  const deadline = deadlineUpdate(spec, before);
  errors.push(...deadline.errors);
  if (deadline.stop) return errors;
  errors.push(...tolerationsUpdate(spec, before), ...gatesUpdate(spec, before), ...gatedUpdate(spec, before, context));
  return [...errors, ...othersUnchanged(spec, before, context)];
}

function images(spec: JsonObject, list: string): Errors {
  return objectsAt(spec, list).flatMap((container, index) => {
    const [image, path] = [textAt(container, 'image'), `spec.${list}[${index}].image`];
    if (image === '') return [required(path, '')];
    return image === image.trim() ? none : [invalid(path, image, 'must not have leading or trailing whitespace')];
  });
}

const maxDeadlineSeconds = 2 ** 31 - 1;

function deadlineUpdate(spec: JsonObject, before: JsonObject): { readonly errors: Errors; readonly stop: boolean } {
  const path = 'spec.activeDeadlineSeconds';
  const [now, then] = [wholeAt(spec, 'activeDeadlineSeconds'), wholeAt(before, 'activeDeadlineSeconds')];
  if (now === undefined) {
    return {
      errors: then === undefined ? none : [invalid(path, null, 'must not update from a positive integer to nil value')],
      stop: false,
    };
  }
  const outside = inRange(now, 0, maxDeadlineSeconds, path);
  const later = then !== undefined && then < now ? [invalid(path, now, 'must be less than or equal to previous value')] : none;
  const errors = outside.length > 0 ? outside : later;
  return { errors, stop: errors.length > 0 };
}

/** Tolerations may be added; those that are there may only change how long they hold. */
function tolerationsUpdate(spec: JsonObject, before: JsonObject): Errors {
  const path = 'spec.tolerations';
  const now = objectsAt(spec, 'tolerations').map(withoutSeconds);
  const kept = objectsAt(before, 'tolerations').every((one) => now.some((other) => isSame(withoutSeconds(one), other)));
  return kept ? tolerations(spec, path) : [forbiddenField(path, 'existing toleration can not be modified except its tolerationSeconds')];
}

function withoutSeconds({ tolerationSeconds: _, ...rest }: JsonObject): JsonObject {
  return rest;
}

function gatesUpdate(spec: JsonObject, before: JsonObject): Errors {
  const then = new Set(objectsAt(before, 'schedulingGates').map((gate) => textAt(gate, 'name')));
  return objectsAt(spec, 'schedulingGates').flatMap((gate, index) => {
    const name = textAt(gate, 'name');
    if (then.has(name)) return none;
    return [forbiddenField(`spec.schedulingGates[${index}].name`, `only deletion is allowed, but found new scheduling gate '${name}'`)];
  });
}

function isGated(before: JsonObject): boolean {
  return objectsAt(before, 'schedulingGates').length > 0;
}

/** While it is held back a pod may become choosier about its node. */
function gatedUpdate(spec: JsonObject, before: JsonObject, context: ValidationContext): Errors {
  if (!isGated(before)) return none;
  const [now, then] = [recordAt(spec, 'nodeSelector'), recordAt(before, 'nodeSelector')];
  const kept = Object.entries(then).every(([key, value]) => now[key] === value);
  const selector = kept
    ? none
    : [invalid('spec.nodeSelector', now, 'only additions to spec.nodeSelector are allowed (no mutations or deletions)')];
  return [...selector, ...termsUpdate(spec, before, context)];
}

const nodeTerms = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';

function termsOf(spec: JsonObject): readonly JsonObject[] {
  const affinity = recordAt(recordAt(spec, 'affinity'), 'nodeAffinity');
  return objectsAt(recordAt(affinity, 'requiredDuringSchedulingIgnoredDuringExecution'), 'nodeSelectorTerms');
}

function termsUpdate(spec: JsonObject, before: JsonObject, { internal }: ValidationContext): Errors {
  const [now, then] = [termsOf(spec), termsOf(before)];
  const shown = (term: JsonObject): Json => internal.value(term, 'core/v1.NodeSelectorTerm');
  if (then.length === 0) return none;
  if (now.length !== then.length) {
    const terms = now.length === 0 ? null : now.map(shown);
    return [invalid(nodeTerms, terms, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed')];
  }
  return then.flatMap((term, index) => {
    const next = now[index] ?? {};
    const kept = ['matchExpressions', 'matchFields'].every((list) => beginsWith(objectsAt(next, list), objectsAt(term, list)));
    const empty = ['matchExpressions', 'matchFields'].every((list) => objectsAt(term, list).length === 0);
    const same = empty ? isSame(next, term) : kept;
    return same ? none : [invalid(`${nodeTerms}[${index}]`, shown(next), 'only additions are allowed (no mutations or deletions)')];
  });
}

function beginsWith(list: readonly JsonObject[], start: readonly JsonObject[]): boolean {
  return list.length >= start.length && start.every((one, index) => isSame(one, list[index]));
}

const onlyThese =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

function othersUnchanged(spec: JsonObject, before: JsonObject, { internal }: ValidationContext): Errors {
  const now = internal.value(withOldMutable(spec, before), 'core/v1.PodSpec');
  const then = internal.value(before, 'core/v1.PodSpec');
  return isSame(now, then) ? none : [forbiddenField('spec', `${onlyThese}\n${internal.difference(then, now)}`)];
}

/** The spec with what may change taken from the old one. */
function withOldMutable(spec: JsonObject, before: JsonObject): JsonObject {
  const withOldImages = (list: string): Json => {
    const containers = objectsAt(spec, list).map((container, index) => ({
      ...container,
      image: textAt(objectsAt(before, list)[index], 'image'),
    }));
    return containers.length > 0 ? containers : null;
  };
  const grace = numberAt(before, 'terminationGracePeriodSeconds') ?? 0;
  const relaxed = grace < 0 && numberAt(spec, 'terminationGracePeriodSeconds') === 1;
  return {
    ...spec,
    containers: withOldImages('containers'),
    initContainers: withOldImages('initContainers'),
    activeDeadlineSeconds: before['activeDeadlineSeconds'] ?? null,
    schedulingGates: before['schedulingGates'] ?? null,
    tolerations: before['tolerations'] ?? null,
    ...(relaxed ? { terminationGracePeriodSeconds: grace } : {}),
    ...(isGated(before) ? { nodeSelector: before['nodeSelector'] ?? null, affinity: withOldNodes(spec, before) } : {}),
  };
}

/** What a pod says of nodes taken from the old one, not what it says of other pods. */
function withOldNodes(spec: JsonObject, before: JsonObject): Json {
  const [affinity, was] = [optionalRecordAt(spec, 'affinity'), optionalRecordAt(before, 'affinity')];
  const nodes = was?.['nodeAffinity'];
  if (!affinity) return nodes === undefined ? null : { nodeAffinity: nodes };
  if (!was && affinity['podAffinity'] === undefined && affinity['podAntiAffinity'] === undefined) return null;
  return { ...affinity, nodeAffinity: nodes ?? null };
}
