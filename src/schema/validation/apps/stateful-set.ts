import { forbiddenField, invalid, type Json, type JsonObject, required } from '../../../meta/index.ts';
import { isSame, numberAt, objectAt, objectsAt, omitEmpties, optionalRecordAt, optionalTextAt, recordAt, textAt } from '../accessors.ts';
import {
  dnsLabel,
  type Errors,
  intOrPercentValue,
  isEmptySelector,
  labelSelector,
  none,
  nonNegativeAt,
  notMoreThan100Percent,
  oneOf,
  positiveIntOrPercent,
  selects,
  unsupported,
} from '../checks.ts';
import { claimSpec } from '../core/claim-spec.ts';
import { podTemplate } from '../core/pod-spec.ts';
import { goRollingUpdate, goUpdateStrategy, toGoValue } from '../go-values.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateAnnotations, validateLabels } from '../metadata.ts';
import { metadataUpdate } from '../update-validators.ts';
import { collisionCountUpdate } from './workloads.ts';

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
const mutableFieldsError =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

export function statefulSetValidators(context: ValidationContext): KindValidators {
  return {
    'apps.StatefulSet': {
      create: (object) => statefulSetSpec(recordAt(object, 'spec'), undefined, context),
      update: (next, old) => [
        ...metadataUpdate(next, old),
        ...statefulSetSpec(recordAt(next, 'spec'), recordAt(old, 'spec'), context),
        ...specUpdate(recordAt(next, 'spec'), recordAt(old, 'spec')),
      ],
      updateStatus: (next, old) => [
        ...counts.flatMap((field) => nonNegativeAt(recordAt(next, 'status'), field, 'status')),
        ...createAndUpdateErrors(recordAt(next, 'status')),
        ...metadataUpdate(next, old),
        ...collisionCountUpdate(next, old),
      ],
    },
  };
}

function createAndUpdateErrors(status: JsonObject): Errors {
  const more = (field: string, than: string): Errors => {
    const value = numberAt(status, field) ?? 0;
    return value > (numberAt(status, than) ?? 0) ? [invalid(`status.${field}`, value, `cannot be greater than status.${than}`)] : none;
  };
  const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];
  return [...parts.flatMap((field) => more(field, 'replicas')), ...more('availableReplicas', 'readyReplicas')];
}

function specUpdate(next: JsonObject, old: JsonObject): Errors {
  const taken = Object.fromEntries(mutable.map((field) => [field, old[field] ?? null]));
  return isSame({ ...next, ...taken }, { ...old, ...taken }) ? none : [forbiddenField('spec', mutableFieldsError)];
}

/** Immutable fields are not validated again on update, nor is the template when the stored set is invalid. */
function statefulSetSpec(spec: JsonObject, old: JsonObject | undefined, context: ValidationContext): Errors {
  const skipsTemplate = old !== undefined && fieldsOf(old).length + statefulTemplate(old, context, false).length > 0;
  return [...fieldsOf(spec, old === undefined), ...statefulTemplate(spec, context, skipsTemplate)];
}

function fieldsOf(spec: JsonObject, isNew = false): Errors {
  const service = textAt(spec, 'serviceName');
  const claims = objectsAt(spec, 'volumeClaimTemplates');
  return [
    ...podManagement(textAt(spec, 'podManagementPolicy')),
    ...updateStrategy(recordAt(spec, 'updateStrategy')),
    ...claimRetention(optionalRecordAt(spec, 'persistentVolumeClaimRetentionPolicy')),
    ...(isNew ? claims.flatMap((claim, index) => claimSpec(recordAt(claim, 'spec'), `spec.volumeClaimTemplates[${index}].spec`)) : none),
    ...nonNegativeAt(spec, 'replicas', 'spec'),
    ...nonNegativeAt(spec, 'minReadySeconds', 'spec'),
    ...nonNegativeAt(optionalRecordAt(spec, 'ordinals'), 'start', 'spec.ordinals'),
    ...(isNew && service !== '' ? dnsLabel(service, 'spec.serviceName') : none),
    ...statefulSelector(optionalRecordAt(spec, 'selector')),
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
        ? [invalid(`${path}.rollingUpdate`, toGoValue(rolling, goRollingUpdate), "only allowed for updateStrategy 'RollingUpdate'")]
        : none;
    case 'RollingUpdate':
      return [
        ...nonNegativeAt(rolling, 'partition', `${path}.rollingUpdate`),
        ...maxUnavailable(rolling?.['maxUnavailable'], `${path}.rollingUpdate.maxUnavailable`),
      ];
    default:
      return [invalid(path, toGoValue(strategy, goUpdateStrategy), "must be 'RollingUpdate' or 'OnDelete'")];
  }
}

function maxUnavailable(value: Json | undefined, path: string): Errors {
  if (value === undefined) return none;
  return [
    ...positiveIntOrPercent(value, path),
    ...(intOrPercentValue(value) === 0 ? [invalid(path, value, 'cannot be 0')] : none),
    ...notMoreThan100Percent(value, path),
  ];
}

function claimRetention(policy: JsonObject | undefined): Errors {
  if (!policy) return none;
  return ['whenDeleted', 'whenScaled'].flatMap((field) =>
    oneOf(optionalTextAt(policy, field), ['Retain', 'Delete'], `spec.persistentVolumeClaimRetentionPolicy.${field}`),
  );
}

function statefulSelector(selector: JsonObject | undefined): Errors {
  if (!selector) return [required('spec.selector', '')];
  const empty = isEmptySelector(selector)
    ? [invalid('spec.selector', omitEmpties(selector), 'empty selector is invalid for statefulset')]
    : none;
  return [...labelSelector(selector, 'spec.selector'), ...empty];
}

function statefulTemplate(spec: JsonObject, context: ValidationContext, skipsPods: boolean): Errors {
  const selector = optionalRecordAt(spec, 'selector');
  const template = podTemplateOf(recordAt(spec, 'template'), objectsAt(spec, 'volumeClaimTemplates'));
  const inner = objectAt(template['spec']);
  const restart = textAt(inner, 'restartPolicy');
  const understood = !selector || labelSelector(selector, '').length === 0;
  return [
    ...(understood
      ? [
          ...selectedTemplate(selector, template),
          ...(skipsPods ? none : podTemplate(template, 'spec.template', context)),
          ...repeatedMetadataErrors(template),
        ]
      : [invalid('spec.selector', omitEmpties(selector), '')]),
    ...(restart === 'Always' ? none : [unsupported('spec.template.spec.restartPolicy', restart, ['Always'])]),
    ...(inner['activeDeadlineSeconds'] === undefined
      ? none
      : [forbiddenField('spec.template.spec.activeDeadlineSeconds', 'activeDeadlineSeconds in StatefulSet is not Supported')]),
  ];
}

/**
 * The template as its pods will have it: volume claim templates become volumes, which containers may mount, and replace volumes of the same
 * name; the set assigns hostname and subdomain.
 */
function podTemplateOf(template: JsonObject, claims: readonly JsonObject[]): JsonObject {
  const { hostname, subdomain, ...spec } = recordAt(template, 'spec');
  const names = new Set(claims.map((claim) => textAt(recordAt(claim, 'metadata'), 'name')));
  const claimed = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const own = objectsAt(spec, 'volumes').filter((volume) => !names.has(textAt(volume, 'name')));
  return { ...template, spec: claims.length === 0 ? spec : { ...spec, volumes: [...claimed, ...own] } };
}

/** Upstream validates them with the template, and again here. */
function repeatedMetadataErrors(template: JsonObject): Errors {
  const metadata = recordAt(template, 'metadata');
  return [
    ...validateLabels(recordAt(metadata, 'labels'), 'spec.template.labels'),
    ...validateAnnotations(recordAt(metadata, 'annotations'), 'spec.template.annotations'),
  ];
}

function selectedTemplate(selector: JsonObject | undefined, template: JsonObject): Errors {
  const metadata = recordAt(template, 'metadata');
  if (selector && (isEmptySelector(selector) || selects(selector, recordAt(metadata, 'labels')))) return none;
  return [invalid('spec.template.metadata.labels', metadata['labels'] ?? null, '`selector` does not match template `labels`')];
}
