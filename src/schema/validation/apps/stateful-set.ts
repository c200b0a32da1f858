import { forbiddenField, invalid, type Json, type JsonObject, required } from '../../../meta/index.ts';
import {
  dnsLabel,
  type Errors,
  isEmptySelector,
  labelSelector,
  none,
  nonNegativeAt,
  oneOf,
  positiveIntOrPercent,
  selects,
  unsupported,
} from '../checks.ts';
import { podTemplate } from '../core/pod-spec.ts';
import { goRollingUpdate, goUpdateStrategy, goValue } from '../go-values.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { isSame, numberAt, objectAt, optionalRecordAt, optionalTextAt, recordAt, textAt } from '../reading.ts';
import { metadataUpdate } from '../revalidated.ts';
import { collisions } from './workloads.ts';

const counts = [
  'replicas',
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'availableReplicas',
  'observedGeneration',
  'collisionCount',
];
const mutable = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'ordinals',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
] as const;
const onlyThese =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

export function statefulSetValidators(context: ValidationContext): KindValidators {
  const validate = (object: JsonObject): Errors => statefulSetSpec(recordAt(object, 'spec'), context);
  return {
    'apps.StatefulSet': {
      create: validate,
      update: (next, old) => [
        ...validate(next),
        ...metadataUpdate(next, old),
        ...specUpdate(recordAt(next, 'spec'), recordAt(old, 'spec')),
      ],
      updateStatus: (next, old) => [
        ...counts.flatMap((field) => nonNegativeAt(recordAt(next, 'status'), field, 'status')),
        ...partsOfAll(recordAt(next, 'status')),
        ...metadataUpdate(next, old),
        ...collisions(next, old),
      ],
    },
  };
}

function partsOfAll(status: JsonObject): Errors {
  const more = (field: string, than: string): Errors => {
    const value = numberAt(status, field) ?? 0;
    return value > (numberAt(status, than) ?? 0) ? [invalid(`status.${field}`, value, `cannot be greater than status.${than}`)] : none;
  };
  const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];
  return [...parts.flatMap((field) => more(field, 'replicas')), ...more('availableReplicas', 'readyReplicas')];
}

function specUpdate(next: JsonObject, old: JsonObject): Errors {
  const taken = Object.fromEntries(mutable.map((field) => [field, old[field] ?? null]));
  return isSame({ ...next, ...taken }, { ...old, ...taken }) ? none : [forbiddenField('spec', onlyThese)];
}

function statefulSetSpec(spec: JsonObject, context: ValidationContext): Errors {
  const selector = optionalRecordAt(spec, 'selector');
  const service = textAt(spec, 'serviceName');
  return [
    ...podManagement(textAt(spec, 'podManagementPolicy')),
    ...updateStrategy(recordAt(spec, 'updateStrategy')),
    ...claimRetention(optionalRecordAt(spec, 'persistentVolumeClaimRetentionPolicy')),
    ...nonNegativeAt(spec, 'replicas', 'spec'),
    ...nonNegativeAt(spec, 'minReadySeconds', 'spec'),
    ...nonNegativeAt(optionalRecordAt(spec, 'ordinals'), 'start', 'spec.ordinals'),
    ...(service === '' ? none : dnsLabel(service, 'spec.serviceName')),
    ...statefulSelector(selector),
    ...statefulTemplate(spec, selector, context),
  ];
}

function podManagement(policy: string): Errors {
  if (policy === '') return [required('spec.podManagementPolicy', '')];
  if (policy === 'OrderedReady' || policy === 'Parallel') return none;
  return [invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")];
}

function updateStrategy(strategy: JsonObject): Errors {
  const path = 'spec.updateStrategy';
  const rolling = optionalRecordAt(strategy, 'rollingUpdate');
  switch (textAt(strategy, 'type')) {
    case '':
      return [required(path, '')];
    case 'OnDelete':
      return rolling
        ? [invalid(`${path}.rollingUpdate`, goValue(rolling, goRollingUpdate), "only allowed for updateStrategy 'RollingUpdate'")]
        : none;
    case 'RollingUpdate':
      return [
        ...nonNegativeAt(rolling, 'partition', `${path}.rollingUpdate`),
        ...positiveIntOrPercent(rolling?.['maxUnavailable'], `${path}.rollingUpdate.maxUnavailable`),
      ];
    default:
      return [invalid(path, goValue(strategy, goUpdateStrategy), "must be 'RollingUpdate' or 'OnDelete'")];
  }
}

function claimRetention(policy: JsonObject | undefined): Errors {
  if (!policy) return none;
  return ['whenDeleted', 'whenScaled'].flatMap((field) =>
    oneOf(optionalTextAt(policy, field), ['Retain', 'Delete'], `spec.persistentVolumeClaimRetentionPolicy.${field}`),
  );
}

function statefulSelector(selector: JsonObject | undefined): Errors {
  if (!selector) return [required('spec.selector', '')];
  const empty = isEmptySelector(selector) ? [invalid('spec.selector', selector, 'empty selector is invalid for statefulset')] : none;
  return [...labelSelector(selector, 'spec.selector'), ...empty];
}

function statefulTemplate(spec: JsonObject, selector: JsonObject | undefined, context: ValidationContext): Errors {
  const template = withClaimedVolumes(recordAt(spec, 'template'), spec['volumeClaimTemplates']);
  const inner = objectAt(template['spec']);
  const restart = textAt(inner, 'restartPolicy');
  const understood = !selector || labelSelector(selector, '').length === 0;
  return [
    ...(understood
      ? [...selectedTemplate(selector, template), ...podTemplate(template, 'spec.template', context)]
      : [invalid('spec.selector', selector, '')]),
    ...(restart === 'Always' ? none : [unsupported('spec.template.spec.restartPolicy', restart, ['Always'])]),
    ...(inner['activeDeadlineSeconds'] === undefined
      ? none
      : [forbiddenField('spec.template.spec.activeDeadlineSeconds', 'activeDeadlineSeconds in StatefulSet is not Supported')]),
  ];
}

/** Claims that are made for each pod are volumes of it too, which its containers may mount. */
function withClaimedVolumes(template: JsonObject, claims: Json | undefined): JsonObject {
  const spec = recordAt(template, 'spec');
  const named = Array.isArray(spec['volumes']) ? spec['volumes'] : [];
  const known = new Set(named.map((volume) => textAt(objectAt(volume), 'name')));
  const names = Array.isArray(claims) ? claims.map((claim) => textAt(recordAt(objectAt(claim), 'metadata'), 'name')) : [];
  const claimed = names
    .filter((name) => name !== '' && !known.has(name))
    .map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return claimed.length === 0 ? template : { ...template, spec: { ...spec, volumes: [...named, ...claimed] } };
}

function selectedTemplate(selector: JsonObject | undefined, template: JsonObject): Errors {
  const metadata = recordAt(template, 'metadata');
  if (selector && (isEmptySelector(selector) || selects(selector, recordAt(metadata, 'labels')))) return none;
  return [invalid('spec.template.metadata.labels', metadata['labels'] ?? null, '`selector` does not match template `labels`')];
}
