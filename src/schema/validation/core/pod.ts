import { forbiddenField, invalid, type Json, type JsonObject, required } from '../../../meta/index.ts';
import { type Errors, none } from '../checks.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { isSame, numberAt, objectsAt, recordAt, textAt } from '../reading.ts';
import { changesOnly, checkedAgain, metadataUpdate, wholeMetadata } from '../revalidated.ts';
import { podSpec, podTemplate } from './pod-spec.ts';
import { qosClassOf } from './qos-class.ts';

const kind = { type: 'core.Pod', namespaced: true };

export function podValidators(context: ValidationContext): KindValidators {
  const spec = (pod: JsonObject): Errors => podSpec(recordAt(pod, 'spec'), 'spec', context, 'pod');
  return {
    'core.Pod': {
      create: (pod) => [...spec(pod), ...imagesWithoutBlanks(pod), ...noEphemeral(pod), ...gatedPodHasNoNode(pod)],
      update: (next, old) => [...wholeMetadata(kind, next), ...spec(next), ...podUpdate(next, old)],
      updateStatus: (next, old) => [...metadataUpdate(next, old), ...statusUpdate(next, old)],
      subresources: {
        ephemeralcontainers: (next, old) => [
          ...metadataUpdate(next, old),
          ...wholeMetadata(kind, next),
          ...spec(next),
          ...keepsEphemeral(next, old),
        ],
        resize: (next, old) => [...metadataUpdate(next, old), ...wholeMetadata(kind, next), ...spec(next), ...resizing(next, old)],
      },
    },
    'core.PodTemplate': checkedAgain((object) => podTemplate(recordAt(object, 'template'), 'template', context)),
    'core.Binding': changesOnly(() => none),
  };
}

/** Checked for pods, not for templates. */
function imagesWithoutBlanks(pod: JsonObject): Errors {
  return ['containers', 'initContainers'].flatMap((list) =>
    objectsAt(recordAt(pod, 'spec'), list).flatMap((container, index) => {
      const image = textAt(container, 'image');
      if (image === image.trim()) return none;
      return [invalid(`spec.${list}[${index}].image`, image, 'must not have leading or trailing whitespace')];
    }),
  );
}

function noEphemeral(pod: JsonObject): Errors {
  const some = objectsAt(recordAt(pod, 'spec'), 'ephemeralContainers').length > 0;
  return some ? [forbiddenField('spec.ephemeralContainers', 'cannot be set on create')] : none;
}

/** Ephemeral containers are only added. Cf. upstream ValidatePodEphemeralContainersUpdate. */
function keepsEphemeral(next: JsonObject, old: JsonObject): Errors {
  const path = 'spec.ephemeralContainers';
  if (isMirror(old)) return [forbiddenField('', 'static pods do not support ephemeral containers')];
  const now = new Map(objectsAt(recordAt(next, 'spec'), 'ephemeralContainers').map((one) => [textAt(one, 'name'), one]));
  return objectsAt(recordAt(old, 'spec'), 'ephemeralContainers').flatMap((before) => {
    const name = textAt(before, 'name');
    const kept = now.get(name);
    if (!kept) return [forbiddenField(path, `existing ephemeral containers ${JSON.stringify(name)} may not be removed\n`)];
    return isSame(kept, before)
      ? none
      : [forbiddenField(path, `existing ephemeral containers ${JSON.stringify(name)} may not be changed\n`)];
  });
}

function isMirror(pod: JsonObject): boolean {
  return Object.keys(recordAt(recordAt(pod, 'metadata'), 'annotations')).some((key) => key.endsWith('/config.mirror'));
}

/** Only amounts of cpu and memory change, and not so that the pod is of another class. Cf. upstream ValidatePodResize. */
function resizing(next: JsonObject, old: JsonObject): Errors {
  if (isMirror(old)) return [forbiddenField('', 'static pods cannot be resized')];
  const [spec, before] = [recordAt(next, 'spec'), recordAt(old, 'spec')];
  const status = textAt(recordAt(old, 'status'), 'qosClass');
  const errors = [];
  if (status !== '' && qosClassOf(spec) !== status) {
    errors.push(invalid('spec', status, 'Pod QOS Class may not change as a result of resizing'));
  }
  for (const list of ['containers', 'initContainers']) errors.push(...amountsKept(spec, before, list));
  const fixed = (of: JsonObject): Json => ({
    ...of,
    containers: unresized(of, 'containers'),
    initContainers: unresized(of, 'initContainers'),
  });
  if (!isSame(fixed(spec), fixed(before))) errors.push(forbiddenField('spec', 'only cpu and memory resources are mutable\n'));
  return errors;
}

/** What had a limit or a request keeps one. */
function amountsKept(spec: JsonObject, before: JsonObject, list: string): Errors {
  return objectsAt(before, list).flatMap((container, index) => {
    const now = recordAt(objectsAt(spec, list)[index], 'resources');
    const then = recordAt(container, 'resources');
    return ['limits', 'requests'].flatMap((part) => {
      const removed = ['cpu', 'memory'].some((name) => recordAt(then, part)[name] !== undefined && recordAt(now, part)[name] === undefined);
      return removed ? [forbiddenField(`spec.${list}[${index}].resources.${part}`, `resource ${part} cannot be removed`)] : none;
    });
  });
}

function unresized(spec: JsonObject, list: string): Json {
  return objectsAt(spec, list).map((container) => {
    const resources = recordAt(container, 'resources');
    const without = (part: string): Json => ({ ...recordAt(resources, part), cpu: null, memory: null });
    return { ...container, resizePolicy: null, resources: { ...resources, limits: without('limits'), requests: without('requests') } };
  });
}

function gatedPodHasNoNode(pod: JsonObject): Errors {
  const spec = recordAt(pod, 'spec');
  if (textAt(spec, 'nodeName') === '' || objectsAt(spec, 'schedulingGates').length === 0) return none;
  return [forbiddenField('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')];
}

/** A pod stays as it is, but for a few fields. Cf. upstream ValidatePodUpdate. */
function podUpdate(next: JsonObject, old: JsonObject): Errors {
  const [spec, before] = [recordAt(next, 'spec'), recordAt(old, 'spec')];
  const first = [
    ...metadataUpdate(next, old),
    ...sameContainers(spec, before, 'containers'),
    ...sameContainers(spec, before, 'initContainers'),
  ];
  // Without the same containers nothing else can be compared.
  if (first.some((error) => error.message.includes('may not add or remove'))) return first;
  const errors = [...first, ...deadlineUpdate(spec, before), ...tolerationsUpdate(spec, before), ...gatesUpdate(spec, before)];
  return isSame(withoutMutable(spec, before), withoutMutable(before, before))
    ? errors
    : [...errors, forbiddenField('spec', `${onlyThese}\n`)];
}

const onlyThese =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

function sameContainers(spec: JsonObject, before: JsonObject, list: string): Errors {
  const [now, then] = [objectsAt(spec, list), objectsAt(before, list)];
  if (now.length !== then.length) return [forbiddenField(`spec.${list}`, 'pod updates may not add or remove containers')];
  return now.flatMap((container, index) => (textAt(container, 'image') === '' ? [required(`spec.${list}[${index}].image`, '')] : none));
}

function deadlineUpdate(spec: JsonObject, before: JsonObject): Errors {
  const path = 'spec.activeDeadlineSeconds';
  const [now, then] = [numberAt(spec, 'activeDeadlineSeconds'), numberAt(before, 'activeDeadlineSeconds')];
  if (now === undefined) return then === undefined ? none : [invalid(path, null, 'must not update from a positive integer to nil value')];
  if (then !== undefined && then < now) return [invalid(path, now, 'must be less than or equal to previous value')];
  return none;
}

/** Tolerations may be added; those that are there may only change how long they hold. */
function tolerationsUpdate(spec: JsonObject, before: JsonObject): Errors {
  const now = objectsAt(spec, 'tolerations');
  const kept = objectsAt(before, 'tolerations').every((one) => now.some((other) => isSame(withoutSeconds(one), withoutSeconds(other))));
  if (kept) return none;
  return [forbiddenField('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds')];
}

function withoutSeconds({ tolerationSeconds: _, ...rest }: JsonObject): JsonObject {
  return rest;
}

function gatesUpdate(spec: JsonObject, before: JsonObject): Errors {
  const then = new Set(objectsAt(before, 'schedulingGates').map((gate) => textAt(gate, 'name')));
  const added = objectsAt(spec, 'schedulingGates').findIndex((gate) => !then.has(textAt(gate, 'name')));
  if (added < 0) return none;
  const name = textAt(objectsAt(spec, 'schedulingGates')[added], 'name');
  return [forbiddenField('spec.schedulingGates', `only deletion is allowed, but found new scheduling gate '${name}'`)];
}

/** The spec with what may change taken from the old one. */
function withoutMutable(spec: JsonObject, before: JsonObject): Json {
  const images = (list: string): readonly JsonObject[] =>
    objectsAt(spec, list).map((container, index) => ({ ...container, image: objectsAt(before, list)[index]?.['image'] ?? null }));
  const gated = objectsAt(before, 'schedulingGates').length > 0;
  const grace = numberAt(before, 'terminationGracePeriodSeconds') ?? 0;
  const allowsGrace = grace < 0 && numberAt(spec, 'terminationGracePeriodSeconds') === 1;
  return {
    ...spec,
    containers: images('containers'),
    initContainers: images('initContainers'),
    activeDeadlineSeconds: null,
    tolerations: null,
    schedulingGates: null,
    ...(allowsGrace ? { terminationGracePeriodSeconds: grace } : {}),
    // While it is held back a pod may still become choosier.
    ...(gated ? { nodeSelector: null, affinity: null } : {}),
  };
}

function statusUpdate(next: JsonObject, old: JsonObject): Errors {
  const [node, before] = [textAt(recordAt(next, 'spec'), 'nodeName'), textAt(recordAt(old, 'spec'), 'nodeName')];
  return node === before ? none : [forbiddenField('status.nodeName', 'may not be changed directly')];
}
