import {
  byteLength,
  domainPrefixedPath,
  duplicate,
  invalid,
  isDns1123Label,
  isQualifiedName,
  type JsonObject,
  required,
  tooLong,
  tooMany,
} from '../../../meta/index.ts';
import {
  type Errors,
  immutable,
  immutableFields,
  immutableStruct,
  labelSelector,
  named,
  none,
  nonNegativeAt,
  oneOf,
  requiredOneOf,
  selects,
  unsupported,
} from '../checks.ts';
import { podTemplate } from '../core/pod-spec.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { isSame, listAt, numberAt, objectsAt, optionalRecordAt, optionalTextAt, recordAt, textAt } from '../reading.ts';
import { metadataUpdate, wholeMetadata } from '../revalidated.ts';
import { jobStatusUpdate } from './job-status.ts';
import { successPolicy } from './success-policy.ts';

const kind = { type: 'batch.Job', namespaced: true };
const maxIndexedParallelism = 100_000;
/** From so many completions on an indexed Job with limits by index is bound more tightly. */
const manyCompletions = 100_000;
const maxWithManyCompletions = 10_000;
const maxManagedByBytes = 63;

export function jobValidators(context: ValidationContext): KindValidators {
  const validate = (job: JsonObject): Errors => [
    ...generatedSelector(job, context),
    ...jobSpec(recordAt(job, 'spec'), 'spec', context),
    ...indexedNames(job),
  ];
  return {
    'batch.Job': {
      create: validate,
      update: (next, old) => [
        ...wholeMetadata(kind, next),
        ...validate(next),
        ...metadataUpdate(next, old),
        ...jobUpdate(recordAt(next, 'spec'), old, context),
      ],
      updateStatus: (next, old) => [...metadataUpdate(next, old), ...jobStatusUpdate(next, old)],
    },
  };
}

/** What the server writes itself must be there, and be selected. */
function generatedSelector(job: JsonObject, { rename }: ValidationContext): Errors {
  const spec = recordAt(job, 'spec');
  const selector = optionalRecordAt(spec, 'selector');
  if (spec['manualSelector'] === true || !selector) return none;
  const metadata = recordAt(job, 'metadata');
  const prefix = rename('batch.kubernetes.io/');
  const [uid, name] = [textAt(metadata, 'uid'), textAt(metadata, 'name')];
  const expected = { 'controller-uid': uid, 'job-name': name, [`${prefix}controller-uid`]: uid, [`${prefix}job-name`]: name };
  const labels = recordAt(recordAt(recordAt(spec, 'template'), 'metadata'), 'labels');
  return [
    ...(uid === '' ? [required('metadata.uid', '')] : none),
    ...Object.entries(expected).flatMap(([key, value]) => hasLabel(labels, key, value)),
    ...(selects(selector, expected) || labelSelector(selector, '').length > 0
      ? none
      : [invalid('spec.selector', selector, '`selector` not auto-generated')]),
  ];
}

function hasLabel(labels: JsonObject, key: string, value: string): Errors {
  const path = `spec.template.metadata.labels[${key}]`;
  if (!Object.hasOwn(labels, key)) return [required(path, `must be '${value}'`)];
  return labels[key] === value ? none : [invalid(path, labels, `must be '${value}'`)];
}

function indexedNames(job: JsonObject): Errors {
  const spec = recordAt(job, 'spec');
  const completions = numberAt(spec, 'completions') ?? 0;
  if (textAt(spec, 'completionMode') !== 'Indexed' || completions <= 0) return none;
  const name = textAt(recordAt(job, 'metadata'), 'name');
  const longest = `${name}-${completions - 1}`;
  if (isDns1123Label(longest).length === 0) return none;
  return [invalid('metadata.name', name, `will not able to create pod with invalid DNS label: ${longest}`)];
}

function jobSpec(spec: JsonObject, path: string, context: ValidationContext): Errors {
  const selector = optionalRecordAt(spec, 'selector');
  const metadata = recordAt(recordAt(spec, 'template'), 'metadata');
  const selected = selector !== undefined && (labelSelector(selector, '').length > 0 || selects(selector, recordAt(metadata, 'labels')));
  const shown = metadata['labels'] ?? null;
  return [
    ...jobBody(spec, path, context),
    ...(selector ? labelSelector(selector, `${path}.selector`) : [required(`${path}.selector`, '')]),
    ...(selected ? none : [invalid(`${path}.template.metadata.labels`, shown, '`selector` does not match template `labels`')]),
  ];
}

const counts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const;

/** What Jobs and the templates of CronJobs share. Cf. upstream validateJobSpec. */
export function jobBody(spec: JsonObject, path: string, context: ValidationContext): Errors {
  const managedBy = optionalTextAt(spec, 'managedBy');
  const needsLimit = numberAt(spec, 'maxFailedIndexes') !== undefined && numberAt(spec, 'backoffLimitPerIndex') === undefined;
  return [
    ...counts.flatMap((field) => nonNegativeAt(spec, field, path)),
    ...(needsLimit ? [required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')] : none),
    ...(managedBy === undefined ? none : domainPrefixedPath(`${path}.managedBy`, managedBy)),
    ...(byteLength(managedBy ?? '') > maxManagedByBytes ? [tooLong(`${path}.managedBy`, maxManagedByBytes)] : none),
    ...completionMode(spec, path),
    ...failurePolicy(spec, `${path}.podFailurePolicy`),
    ...successPolicy(spec, `${path}.successPolicy`),
    ...replacementPolicy(spec, `${path}.podReplacementPolicy`),
    ...podTemplate(recordAt(spec, 'template'), `${path}.template`, context),
    ...restartPolicy(spec, `${path}.template.spec.restartPolicy`),
  ];
}

function completionMode(spec: JsonObject, path: string): Errors {
  const mode = optionalTextAt(spec, 'completionMode');
  const errors = [...oneOf(mode, ['NonIndexed', 'Indexed'], `${path}.completionMode`)];
  if (mode === 'Indexed') {
    const parallelism = numberAt(spec, 'parallelism') ?? 0;
    if (numberAt(spec, 'completions') === undefined) errors.push(required(`${path}.completions`, 'when completion mode is Indexed'));
    if (parallelism > maxIndexedParallelism) {
      const why = `must be less than or equal to ${maxIndexedParallelism} when completion mode is Indexed`;
      errors.push(invalid(`${path}.parallelism`, parallelism, why));
    }
    errors.push(...indexLimits(spec, path));
  }
  if (mode === undefined || mode === 'NonIndexed') {
    for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
      const value = numberAt(spec, field);
      if (value !== undefined) errors.push(invalid(`${path}.${field}`, value, 'requires indexed completion mode'));
    }
  }
  return errors;
}

function indexLimits(spec: JsonObject, path: string): Errors {
  const [completions, parallelism, failed] = [
    numberAt(spec, 'completions'),
    numberAt(spec, 'parallelism') ?? 0,
    numberAt(spec, 'maxFailedIndexes'),
  ];
  const at = `${path}.maxFailedIndexes`;
  const bound = `must be less than or equal to ${maxWithManyCompletions} when completions are above ${manyCompletions} and used with backoff limit per index`;
  const isBound = (completions ?? 0) > manyCompletions && numberAt(spec, 'backoffLimitPerIndex') !== undefined;
  return [
    ...(failed !== undefined && completions !== undefined && failed > completions
      ? [invalid(at, failed, 'must be less than or equal to completions')]
      : none),
    ...(failed !== undefined && failed > maxIndexedParallelism
      ? [invalid(at, failed, `must be less than or equal to ${maxIndexedParallelism}`)]
      : none),
    ...(isBound && failed === undefined ? [required(at, `must be specified when completions is above ${manyCompletions}`)] : none),
    ...(isBound && parallelism > maxWithManyCompletions ? [invalid(`${path}.parallelism`, parallelism, bound)] : none),
    ...(isBound && failed !== undefined && failed > maxWithManyCompletions ? [invalid(at, failed, bound)] : none),
  ];
}

function restartPolicy(spec: JsonObject, path: string): Errors {
  const policy = textAt(recordAt(recordAt(spec, 'template'), 'spec'), 'restartPolicy');
  if (policy === 'Always' || policy === '') return [required(path, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never') return [unsupported(path, policy, ['OnFailure', 'Never'])];
  if (policy === 'Never' || !('podFailurePolicy' in spec)) return none;
  return [invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}

function replacementPolicy(spec: JsonObject, path: string): Errors {
  const policy = optionalTextAt(spec, 'podReplacementPolicy');
  const withFailures = 'podFailurePolicy' in spec;
  return oneOf(policy, withFailures ? ['Failed'] : ['Failed', 'TerminatingOrFailed'], path);
}

const maxRules = 20;
const maxPatterns = 20;
const maxCodes = 255;

function failurePolicy(spec: JsonObject, path: string): Errors {
  const policy = optionalRecordAt(spec, 'podFailurePolicy');
  if (!policy) return none;
  const rules = objectsAt(policy, 'rules');
  const names = new Set(
    ['containers', 'initContainers'].flatMap((list) =>
      objectsAt(recordAt(recordAt(spec, 'template'), 'spec'), list).map((container) => textAt(container, 'name')),
    ),
  );
  const many = rules.length > maxRules ? [tooMany(`${path}.rules`, rules.length, maxRules)] : none;
  return [...many, ...rules.flatMap((rule, index) => failureRule(rule, spec, names, `${path}.rules[${index}]`))];
}

function failureRule(rule: JsonObject, spec: JsonObject, names: ReadonlySet<string>, path: string): Errors {
  const action = textAt(rule, 'action');
  const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
  const codes = optionalRecordAt(rule, 'onExitCodes');
  const conditions = objectsAt(rule, 'onPodConditions');
  const needsIndex = action === 'FailIndex' && numberAt(spec, 'backoffLimitPerIndex') === undefined;
  const errors = [
    ...requiredOneOf(action, actions, `${path}.action`).map((error) =>
      action === '' ? required(`${path}.action`, 'valid values: ["Count" "FailIndex" "FailJob" "Ignore"]') : error,
    ),
    ...(needsIndex ? [invalid(`${path}.action`, action, 'requires the backoffLimitPerIndex to be set')] : none),
    ...(codes ? exitCodes(codes, names, `${path}.onExitCodes`) : none),
    ...conditionPatterns(conditions, `${path}.onPodConditions`),
  ];
  if (codes && conditions.length > 0) {
    errors.push(withoutValue(path, 'specifying both OnExitCodes and OnPodConditions is not supported'));
  }
  if (!codes && conditions.length === 0) errors.push(withoutValue(path, 'specifying one of OnExitCodes and OnPodConditions is required'));
  return errors;
}

/** Upstream leaves the value out. */
function withoutValue(field: string, why: string): Errors[number] {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${why}` };
}

function exitCodes(codes: JsonObject, names: ReadonlySet<string>, path: string): Errors {
  const operator = textAt(codes, 'operator');
  const container = optionalTextAt(codes, 'containerName');
  const values = listAt(codes, 'values').map(Number);
  const seen = new Set<number>();
  const errors = [
    ...requiredOneOf(operator, ['In', 'NotIn'], `${path}.operator`).map((error) =>
      operator === '' ? required(`${path}.operator`, 'valid values: ["In" "NotIn"]') : error,
    ),
    ...(container === undefined || names.has(container)
      ? none
      : [invalid(`${path}.containerName`, container, 'must be one of the container or initContainer names in the pod template')]),
  ];
  if (values.length === 0) errors.push(invalid(`${path}.values`, codes['values'] ?? null, 'at least one value is required'));
  if (values.length > maxCodes) errors.push(tooMany(`${path}.values`, values.length, maxCodes));
  for (const [index, value] of values.entries()) {
    const at = `${path}.values[${index}]`;
    if (operator === 'In' && value === 0) errors.push(invalid(at, value, 'must not be 0 for the In operator'));
    const before = values[index - 1];
    if (seen.has(value)) errors.push(duplicate(at, value));
    else if (before !== undefined && before > value) errors.push(invalid(`${path}.values`, values, 'must be ordered'));
    seen.add(value);
  }
  return errors;
}

function conditionPatterns(patterns: readonly JsonObject[], path: string): Errors {
  const many = patterns.length > maxPatterns ? [tooMany(path, patterns.length, maxPatterns)] : none;
  return [
    ...many,
    ...patterns.flatMap((pattern, index) => [
      ...named(isQualifiedName, textAt(pattern, 'type'), `${path}[${index}].type`),
      ...requiredOneOf(textAt(pattern, 'status'), ['False', 'True', 'Unknown'], `${path}[${index}].status`),
    ]),
  ];
}

/** Most of a Job never changes. Cf. upstream ValidateJobSpecUpdate. */
function jobUpdate(spec: JsonObject, old: JsonObject, context: ValidationContext): Errors {
  const before = recordAt(old, 'spec');
  return [
    ...jobSpec(spec, 'spec', context),
    ...completionsUpdate(spec, before),
    ...immutable(spec['selector'], before['selector'], 'spec.selector'),
    ...templateUpdate(spec, old, context),
    ...immutable(spec['completionMode'], before['completionMode'], 'spec.completionMode'),
    ...immutableStruct(context, 'batch/v1.PodFailurePolicy')(spec['podFailurePolicy'], before['podFailurePolicy'], 'spec.podFailurePolicy'),
    ...immutableFields(spec, before, ['backoffLimitPerIndex', 'managedBy'], 'spec'),
    ...immutableStruct(context, 'batch/v1.SuccessPolicy')(spec['successPolicy'], before['successPolicy'], 'spec.successPolicy'),
  ];
}

/** An indexed Job may grow and shrink as a whole. */
function completionsUpdate(spec: JsonObject, before: JsonObject): Errors {
  const path = 'spec.completions';
  if (isSame(spec['completions'], before['completions'])) return none;
  if (textAt(spec, 'completionMode') !== 'Indexed') return immutable(spec['completions'], before['completions'], path);
  if (isSame(spec['completions'], spec['parallelism'])) return none;
  return [invalid(path, spec['completions'], 'can only be modified in tandem with spec.parallelism')];
}

const schedulingFields = ['nodeSelector', 'affinity', 'tolerations', 'schedulingGates'] as const;

/** A suspended Job that never ran may still be told where to run. */
function templateUpdate(spec: JsonObject, old: JsonObject, context: ValidationContext): Errors {
  const before = recordAt(old, 'spec');
  const [template, was] = [recordAt(spec, 'template'), recordAt(before, 'template')];
  const neverRan = before['suspend'] === true && recordAt(old, 'status')['startTime'] === undefined;
  const unchanged = immutableStruct(context, 'core/v1.PodTemplateSpec');
  if (!neverRan) return unchanged(template, was, 'spec.template');
  const fixed = (one: JsonObject): JsonObject => ({
    ...one,
    metadata: { ...recordAt(one, 'metadata'), labels: null, annotations: null },
    spec: { ...recordAt(one, 'spec'), ...Object.fromEntries(schedulingFields.map((field) => [field, null])) },
  });
  return isSame(fixed(template), fixed(was)) ? none : unchanged(template, was, 'spec.template');
}
