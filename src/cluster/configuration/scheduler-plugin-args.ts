import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  isQualifiedName,
  notListed,
  notSupported,
  parseDuration,
  required,
} from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { StructSchema } from '../../schema/index.ts';
import { anything, bool, int32, int64, listOf, struct, text } from './configuration-file.ts';

/** Arguments of a plugin of the scheduler: the kind `<name>Args`. */
export interface PluginArgs {
  readonly shape: StructSchema;
  /** Fills in defaults that validation reads. */
  readonly withDefaults?: (args: object) => object;
  readonly validate: (args: object, path: string) => readonly FieldError[];
  /** Upstream validates these when it creates the plugin, and not with the file. */
  readonly isLate?: boolean;
}

const resource = struct('ResourceSpec', { name: text, weight: int64 });
const shapePoint = struct('UtilizationShapePoint', { utilization: int32, score: int32 });
const requirement = struct('NodeSelectorRequirement', { key: text, operator: text, values: listOf(text) }, 'core/v1');
const nodeSelectorTerm = struct('NodeSelectorTerm', { matchExpressions: listOf(requirement), matchFields: listOf(requirement) });

const typed = (name: string, members: Parameters<typeof struct>[1]): StructSchema =>
  struct(`${name}Args`, { kind: text, apiVersion: text, ...members });

/** By plugin. Cf. kube-scheduler/config/v1 types_pluginargs.go and apis/config/validation. */
export const pluginArgs: Readonly<Record<string, PluginArgs>> = {
  DefaultPreemption: {
    shape: typed('DefaultPreemption', { minCandidateNodesPercentage: int32, minCandidateNodesAbsolute: int32 }),
    validate: validatePreemption,
  },
  InterPodAffinity: {
    shape: typed('InterPodAffinity', { hardPodAffinityWeight: int32, ignorePreferredTermsOfExistingPods: bool }),
    validate: (args: { readonly hardPodAffinityWeight?: number }, path) =>
      outside(args.hardPodAffinityWeight ?? 1, 0, 100, `${path}.hardPodAffinityWeight`),
  },
  NodeAffinity: {
    shape: typed('NodeAffinity', {
      addedAffinity: struct('NodeAffinity', {
        requiredDuringSchedulingIgnoredDuringExecution: struct('NodeSelector', { nodeSelectorTerms: listOf(nodeSelectorTerm) }),
        preferredDuringSchedulingIgnoredDuringExecution: listOf(
          struct('PreferredSchedulingTerm', { weight: int32, preference: nodeSelectorTerm }),
        ),
      }),
    }),
    validate: validateNodeAffinity,
  },
  NodeResourcesBalancedAllocation: {
    shape: typed('NodeResourcesBalancedAllocation', { resources: listOf(resource) }),
    withDefaults: (args: { readonly resources?: readonly Resource[] }) => ({ ...args, resources: withWeights(args.resources) }),
    validate: validateBalance,
  },
  NodeResourcesFit: {
    shape: typed('NodeResourcesFit', {
      ignoredResources: listOf(text),
      ignoredResourceGroups: listOf(text),
      scoringStrategy: struct('ScoringStrategy', {
        type: text,
        resources: listOf(resource),
        requestedToCapacityRatio: struct('RequestedToCapacityRatioParam', { shape: listOf(shapePoint) }),
      }),
    }),
    withDefaults: ({ scoringStrategy = { type: 'LeastAllocated' }, ...args }: FitArgs) => ({
      ...args,
      scoringStrategy: { ...scoringStrategy, resources: withWeights(scoringStrategy.resources) },
    }),
    validate: validateFit,
    isLate: true,
  },
  PodTopologySpread: {
    shape: typed('PodTopologySpread', {
      defaultingType: text,
      defaultConstraints: listOf(
        struct('TopologySpreadConstraint', {
          maxSkew: int32,
          topologyKey: text,
          whenUnsatisfiable: text,
          labelSelector: anything,
          minDomains: int32,
          nodeAffinityPolicy: text,
          nodeTaintsPolicy: text,
          matchLabelKeys: listOf(text),
        }),
      ),
    }),
    withDefaults: (args: { readonly defaultingType?: string }) => ({ ...args, defaultingType: args.defaultingType || 'System' }),
    validate: validateSpread,
  },
  VolumeBinding: {
    shape: typed('VolumeBinding', { bindTimeoutSeconds: int64, shape: listOf(shapePoint) }),
    validate: validateVolumeBinding,
  },
  DynamicResources: {
    shape: typed('DynamicResources', { filterTimeout: text, bindingTimeout: text }),
    validate: validateDynamicResources,
  },
};

interface Resource {
  readonly name: string;
  readonly weight?: number;
}

const withWeights = (resources: readonly Resource[] = []): readonly Resource[] =>
  (resources.length === 0 ? [{ name: 'cpu' }, { name: 'memory' }] : resources).map(({ name, weight }) => ({ name, weight: weight || 1 }));

const outside = (value: number, min: number, max: number, path: string): readonly FieldError[] =>
  value < min || value > max ? [invalid(path, value, `not in valid range [${min}, ${max}]`)] : [];

function validatePreemption(
  args: { readonly minCandidateNodesPercentage?: number; readonly minCandidateNodesAbsolute?: number },
  path: string,
): readonly FieldError[] {
  const [percentage, absolute] = [args.minCandidateNodesPercentage ?? 10, args.minCandidateNodesAbsolute ?? 100];
  const [percentagePath, absolutePath] = [`${path}.minCandidateNodesPercentage`, `${path}.minCandidateNodesAbsolute`];
  const errors = [...outside(percentage, 0, 100, percentagePath)];
  if (absolute < 0) errors.push(invalid(absolutePath, absolute, 'not in valid range [0, inf)'));
  if (percentage !== 0 || absolute !== 0) return errors;
  return [
    ...errors,
    invalid(percentagePath, percentage, 'cannot be zero at the same time as minCandidateNodesAbsolute'),
    invalid(absolutePath, absolute, 'cannot be zero at the same time as minCandidateNodesPercentage'),
  ];
}

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];

function validateNodeAffinity(
  { addedAffinity = {} }: { readonly addedAffinity?: corev1.NodeAffinity },
  path: string,
): readonly FieldError[] {
  const { requiredDuringSchedulingIgnoredDuringExecution: selector, preferredDuringSchedulingIgnoredDuringExecution: preferences = [] } =
    addedAffinity;
  const added = `${path}.addedAffinity`;
  return [
    ...(selector?.nodeSelectorTerms ?? []).flatMap((term, index) =>
      termErrors(term, `${added}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`),
    ),
    ...preferences.flatMap(({ preference }, index) =>
      termErrors(preference, `${added}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`),
    ),
  ];
}

function termErrors({ matchExpressions = [], matchFields = [] }: corev1.NodeSelectorTerm = {}, path: string): readonly FieldError[] {
  const check = (field: string, { operator }: corev1.NodeSelectorRequirement): readonly FieldError[] =>
    operators.includes(operator) ? [] : [notListed(`${field}.operator`, operator ?? '', operators)];
  return [
    ...matchExpressions.flatMap((one, index) => check(`${path}.matchExpressions[${index}]`, one)),
    ...matchFields.flatMap((one, index) => check(`${path}.matchFields[${index}]`, one)),
  ];
}

function validateBalance({ resources = [] }: { readonly resources?: readonly Resource[] }, path: string): readonly FieldError[] {
  return resources.flatMap(({ name, weight }, index) => {
    const field = `${path}.resources[${index}]`;
    const isRepeated = resources.findIndex((one) => one.name === name) < index;
    return [
      ...(isRepeated ? [duplicate(`${field}.name`, name)] : []),
      ...(weight === 1 ? [] : [invalid(`${field}.weight`, weight, 'must be 1')]),
    ];
  });
}

interface ShapePoint {
  readonly utilization?: number;
  readonly score?: number;
}

interface FitArgs {
  readonly ignoredResources?: readonly string[];
  readonly ignoredResourceGroups?: readonly string[];
  readonly scoringStrategy?: {
    readonly type?: string;
    readonly resources?: readonly Resource[];
    readonly requestedToCapacityRatio?: { readonly shape?: readonly ShapePoint[] };
  };
}

const strategies = ['LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio'];

function validateFit({ ignoredResources = [], ignoredResourceGroups = [], scoringStrategy = {} }: FitArgs): readonly FieldError[] {
  const { type = '', resources = [], requestedToCapacityRatio: ratio } = scoringStrategy;
  const errors = ignoredResources.flatMap((name, index) => labelNameErrors(`ignoredResources[${index}]`, name));
  for (const [index, group] of ignoredResourceGroups.entries()) {
    const path = `ignoredResourceGroups[${index}]`;
    if (group.includes('/')) errors.push(invalid(path, group, "resource group name can't contain '/'"));
    errors.push(...labelNameErrors(path, group));
  }
  if (!strategies.includes(type)) errors.push(notSupported('scoringStrategy.type', type, strategies));
  for (const [index, { name, weight = 0 }] of resources.entries()) {
    if (weight > 0 && weight <= 100) continue;
    errors.push(invalid(`scoringStrategy.resources[${index}].weight`, weight, `resource weight of ${name} not in valid range (0, 100]`));
  }
  const field = 'scoringStrategy.requestedToCapacityRatio';
  if (type !== 'RequestedToCapacityRatio') {
    return ratio === undefined ? errors : [...errors, forbiddenField(field, 'must be nil when type is not RequestedToCapacityRatio')];
  }
  if (ratio === undefined) return [...errors, required(field, 'must be specified when type is RequestedToCapacityRatio')];
  return [...errors, ...shapeErrors(ratio.shape ?? [], `${field}.shape`)];
}

function labelNameErrors(path: string, name: string): FieldError[] {
  return isQualifiedName(name).map((detail) => invalid(path, name, detail));
}

function shapeErrors(shape: readonly ShapePoint[], path: string): readonly FieldError[] {
  if (shape.length === 0) return [required(path, 'at least one point must be specified')];
  const unsorted = shape.findIndex(({ utilization = 0 }, index) => index > 0 && (shape[index - 1]?.utilization ?? 0) >= utilization);
  const order =
    unsorted < 0
      ? []
      : [invalid(`${path}[${unsorted}].utilization`, shape[unsorted]?.utilization ?? 0, 'values must be sorted in increasing order')];
  return [
    ...order,
    ...shape.flatMap(({ utilization = 0, score = 0 }, index) => [
      ...outside(utilization, 0, 100, `${path}[${index}].utilization`),
      ...outside(score, 0, 10, `${path}[${index}].score`),
    ]),
  ];
}

interface SpreadArgs {
  readonly defaultingType?: string;
  readonly defaultConstraints?: readonly Partial<corev1.TopologySpreadConstraint>[];
}

const actions = ['DoNotSchedule', 'ScheduleAnyway'];

function validateSpread({ defaultingType = '', defaultConstraints = [] }: SpreadArgs, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (defaultingType !== 'System' && defaultingType !== 'List') {
    errors.push(notListed(`${path}.defaultingType`, defaultingType, ['System', 'List']));
  } else if (defaultingType === 'System' && defaultConstraints.length > 0) {
    errors.push(invalid(`${path}.defaultingType`, defaultingType, 'when .defaultConstraints are not empty'));
  }
  for (const [index, constraint] of defaultConstraints.entries()) {
    const field = `${path}.defaultConstraints[${index}]`;
    const { topologyKey = '', whenUnsatisfiable = '' } = constraint;
    errors.push(...constraintErrors(constraint, field));
    const isRepeated = defaultConstraints
      .slice(0, index)
      .some((one) => (one.topologyKey ?? '') === topologyKey && (one.whenUnsatisfiable ?? '') === whenUnsatisfiable);
    if (isRepeated) errors.push(duplicate(field, `{${topologyKey}, ${whenUnsatisfiable}}`));
  }
  return errors;
}

function constraintErrors(
  { maxSkew = 0, topologyKey = '', whenUnsatisfiable = '', labelSelector }: Partial<corev1.TopologySpreadConstraint>,
  field: string,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (maxSkew <= 0) errors.push(invalid(`${field}.maxSkew`, maxSkew, 'not in valid range (0, inf)'));
  if (topologyKey === '') errors.push(required(`${field}.topologyKey`, 'can not be empty'));
  else errors.push(...labelNameErrors(`${field}.topologyKey`, topologyKey));
  if (whenUnsatisfiable === '') errors.push(required(`${field}.whenUnsatisfiable`, 'can not be empty'));
  else if (!actions.includes(whenUnsatisfiable)) errors.push(notListed(`${field}.whenUnsatisfiable`, whenUnsatisfiable, actions));
  if (labelSelector !== undefined) {
    errors.push(forbiddenField(`${field}.labelSelector`, 'constraint must not define a selector, as they deduced for each pod'));
  }
  return errors;
}

function validateVolumeBinding(
  args: { readonly bindTimeoutSeconds?: number; readonly shape?: readonly ShapePoint[] },
  path: string,
): readonly FieldError[] {
  const { bindTimeoutSeconds = 600, shape } = args;
  const errors: FieldError[] = [];
  if (bindTimeoutSeconds < 0) {
    errors.push(invalid(`${path}.bindTimeoutSeconds`, bindTimeoutSeconds, 'invalid BindTimeoutSeconds, should not be a negative value'));
  }
  const detail = 'unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring';
  // The internal type has no JSON names.
  const shown = shape?.map(({ utilization = 0, score = 0 }) => ({ Utilization: utilization, Score: score }));
  return shown === undefined ? errors : [...errors, invalid(`${path}.shape`, shown, detail)];
}

function validateDynamicResources(
  args: { readonly filterTimeout?: string; readonly bindingTimeout?: string },
  path: string,
): readonly FieldError[] {
  const { filterTimeout, bindingTimeout } = args;
  const errors: FieldError[] = [];
  if (filterTimeout !== undefined && parseDuration(filterTimeout) < 0n) {
    errors.push(invalid(`${path}.filterTimeout`, filterTimeout, 'must be zero or positive'));
  }
  const detail = 'DRADeviceBindingConditions or DRAResourceClaimDeviceStatus feature gate is disabled';
  return bindingTimeout === undefined ? errors : [...errors, forbiddenField(`${path}.bindingTimeout`, detail)];
}
