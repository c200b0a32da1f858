import { collectErrors, forbiddenField, invalid, type JsonObject } from '../../../meta/index.ts';
import { isSemanticallyEqual, objectsAt, recordAt, textAt } from '../accessors.ts';
import { type Errors, none } from '../checks.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateChangesOnUpdate, validateFullMetadata, validateObjectMetaUpdate, validateSpecOnUpdate } from '../update-validators.ts';
import { validatePodAnnotations, validatePodAnnotationsUpdate } from './pod-annotations.ts';
import { isMirrorPod, validatePodResize } from './pod-resize.ts';
import { validatePodSpec, validatePodTemplate } from './pod-spec.ts';
import { validatePodStatusUpdate } from './pod-status.ts';
import { validatePodUpdate } from './pod-update.ts';

const kind = { type: 'core.Pod', namespaced: true };

export function podValidators(context: ValidationContext): KindValidators {
  const spec = (pod: JsonObject): Errors => validatePodSpec(recordAt(pod, 'spec'), 'spec', context, 'pod');
  const changed = (next: JsonObject, old: JsonObject): Errors => [
    ...validateObjectMetaUpdate(next, old),
    ...validateFullMetadata(kind, next),
    ...validatePodAnnotations(next, 'metadata.annotations', context),
    ...spec(next),
    ...validatePodOnlyRules(next),
    ...validatePodAnnotationsUpdate(next, old, context),
  ];
  return {
    'core.Pod': {
      create: (pod) => [
        ...validatePodAnnotations(pod, 'metadata.annotations', context),
        ...spec(pod),
        ...validatePodOnlyRules(pod),
        ...validateNoEphemeralOnCreate(pod),
        ...validateGatedPodHasNoNode(pod),
      ],
      update: (next, old) => [...changed(next, old), ...validatePodUpdate(next, old, context)],
      updateStatus: (next, old) => [
        ...validateObjectMetaUpdate(next, old),
        ...validatePodAnnotationsUpdate(next, old, context),
        ...validatePodStatusUpdate(next, old, context.gates),
      ],
      subresources: {
        ephemeralcontainers: (next, old) =>
          isMirrorPod(old)
            ? [forbiddenField('', 'static pods do not support ephemeral containers')]
            : [...changed(next, old), ...validateEphemeralContainersUpdate(next, old, context)],
        resize: (next, old) => validatePodResize(next, old, changed(next, old), context),
      },
    },
    'core.PodTemplate': validateSpecOnUpdate((object) => validatePodTemplate(recordAt(object, 'template'), 'template', context)),
    'core.Binding': validateChangesOnUpdate(() => none),
  };
}

/** Rules for pods, but not for templates. */
function validatePodOnlyRules(pod: JsonObject): Errors {
  return [...validateTokensHaveAccount(recordAt(pod, 'spec')), ...validateImagesWithoutBlanks(pod)];
}

function validateTokensHaveAccount(spec: JsonObject): Errors {
  if (textAt(spec, 'serviceAccountName') !== '') return none;
  return collectErrors(objectsAt(spec, 'volumes'), (volume, index) =>
    collectErrors(objectsAt(recordAt(volume, 'projected'), 'sources'), (source, place) => {
      const path = `spec.volumes[${index}].projected.sources[${place}].serviceAccountToken`;
      return source['serviceAccountToken'] === undefined
        ? none
        : [forbiddenField(path, 'must not be specified when serviceAccountName is not set')];
    }),
  );
}

function validateImagesWithoutBlanks(pod: JsonObject): Errors {
  return ['containers', 'initContainers'].flatMap((list) =>
    collectErrors(objectsAt(recordAt(pod, 'spec'), list), (container, index) => {
      const image = textAt(container, 'image');
      if (image === image.trim()) return none;
      return [invalid(`spec.${list}[${index}].image`, image, 'must not have leading or trailing whitespace')];
    }),
  );
}

function validateNoEphemeralOnCreate(pod: JsonObject): Errors {
  const some = objectsAt(recordAt(pod, 'spec'), 'ephemeralContainers').length > 0;
  return some ? [forbiddenField('spec.ephemeralContainers', 'cannot be set on create')] : none;
}

/** Ephemeral containers may only be added. Cf. upstream ValidatePodEphemeralContainersUpdate. */
function validateEphemeralContainersUpdate(next: JsonObject, old: JsonObject, { internal }: ValidationContext): Errors {
  const path = 'spec.ephemeralContainers';
  const now = new Map(objectsAt(recordAt(next, 'spec'), 'ephemeralContainers').map((one) => [textAt(one, 'name'), one]));
  return collectErrors(objectsAt(recordAt(old, 'spec'), 'ephemeralContainers'), (before) => {
    const name = JSON.stringify(textAt(before, 'name'));
    const current = now.get(textAt(before, 'name'));
    if (!current) return [forbiddenField(path, `existing ephemeral containers ${name} may not be removed\n`)];
    const [then, is] = [before, current].map((one) => internal.value(one, 'core/v1.EphemeralContainer'));
    if (isSemanticallyEqual(is, then)) return none;
    return [
      forbiddenField(path, `existing ephemeral containers ${name} may not be changed\n${internal.difference(then ?? null, is ?? null)}`),
    ];
  });
}

function validateGatedPodHasNoNode(pod: JsonObject): Errors {
  const spec = recordAt(pod, 'spec');
  if (textAt(spec, 'nodeName') === '' || objectsAt(spec, 'schedulingGates').length === 0) return none;
  return [forbiddenField('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')];
}
