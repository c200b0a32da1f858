import { collectErrors, forbiddenField, invalid, type JsonObject } from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import { isSemanticallyEqual } from '../../accessors.ts';
import { type Errors, none } from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';
import type { KindValidators, ValidationContext } from '../../kind-validator.ts';
import { validateChangesOnUpdate, validateFullMetadata, validateObjectMetaUpdate, validateSpecOnUpdate } from '../../update-validators.ts';
import { validatePodAnnotations, validatePodAnnotationsUpdate } from './pod-annotations.ts';
import { isMirrorPod, validatePodResize } from './pod-resize.ts';
import { validatePodSpec, validatePodTemplate } from './pod-spec.ts';
import { validatePodStatusUpdate } from './pod-status.ts';
import { validatePodUpdate } from './pod-update.ts';

const kind = { type: 'core.Pod', namespaced: true };

export function podValidators(context: ValidationContext): KindValidators {
  const spec = (pod: Decoded<corev1.Pod>): Errors => validatePodSpec(pod.spec ?? {}, 'spec', context, 'pod');
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
    'core.PodTemplate': validateSpecOnUpdate((object) => validatePodTemplate(object.template ?? {}, 'template', context)),
    'core.Binding': validateChangesOnUpdate(() => none),
  };
}

/** Rules for pods, but not for templates. */
function validatePodOnlyRules(pod: Decoded<corev1.Pod>): Errors {
  return [...validateTokensHaveAccount(pod.spec ?? {}), ...validateImagesWithoutBlanks(pod)];
}

function validateTokensHaveAccount(spec: Decoded<corev1.PodSpec>): Errors {
  if ((spec.serviceAccountName ?? '') !== '') return none;
  return collectErrors(spec.volumes ?? [], (volume, index) =>
    collectErrors(volume.projected?.sources ?? [], (source, place) => {
      const path = `spec.volumes[${index}].projected.sources[${place}].serviceAccountToken`;
      return source.serviceAccountToken === undefined
        ? none
        : [forbiddenField(path, 'must not be specified when serviceAccountName is not set')];
    }),
  );
}

function validateImagesWithoutBlanks(pod: Decoded<corev1.Pod>): Errors {
  return (['containers', 'initContainers'] as const).flatMap((list) =>
    collectErrors(pod.spec?.[list] ?? [], (container, index) => {
      const image = container.image ?? '';
      if (image === image.trim()) return none;
      return [invalid(`spec.${list}[${index}].image`, image, 'must not have leading or trailing whitespace')];
    }),
  );
}

function validateNoEphemeralOnCreate(pod: Decoded<corev1.Pod>): Errors {
  const some = (pod.spec?.ephemeralContainers ?? []).length > 0;
  return some ? [forbiddenField('spec.ephemeralContainers', 'cannot be set on create')] : none;
}

/** Ephemeral containers may only be added. Cf. upstream ValidatePodEphemeralContainersUpdate. */
function validateEphemeralContainersUpdate(next: Decoded<corev1.Pod>, old: Decoded<corev1.Pod>, { internal }: ValidationContext): Errors {
  const path = 'spec.ephemeralContainers';
  const now = new Map((next.spec?.ephemeralContainers ?? []).map((one) => [one.name ?? '', one]));
  return collectErrors(old.spec?.ephemeralContainers ?? [], (before) => {
    const name = JSON.stringify(before.name ?? '');
    const current = now.get(before.name ?? '');
    if (!current) return [forbiddenField(path, `existing ephemeral containers ${name} may not be removed\n`)];
    const [then, is] = [before, current].map((one) => internal.value(one, 'core/v1.EphemeralContainer'));
    if (isSemanticallyEqual(is, then)) return none;
    return [
      forbiddenField(path, `existing ephemeral containers ${name} may not be changed\n${internal.difference(then ?? null, is ?? null)}`),
    ];
  });
}

function validateGatedPodHasNoNode(pod: Decoded<corev1.Pod>): Errors {
  const spec = pod.spec ?? {};
  if ((spec.nodeName ?? '') === '' || (spec.schedulingGates ?? []).length === 0) return none;
  return [forbiddenField('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')];
}
