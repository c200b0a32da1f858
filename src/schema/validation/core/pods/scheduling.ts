import {
  collectErrors,
  duplicate,
  forbiddenField,
  invalid,
  isLabelValue,
  isQualifiedName,
  type JsonObject,
  required,
} from '../../../../meta/index.ts';
import type { corev1, metav1 } from '../../../api/index.ts';
import { joinPath as fieldAt } from '../../accessors.ts';
import {
  type Errors,
  none,
  validateDnsLabel,
  validateLabelSelector,
  validateNameWith,
  validateOneOf,
  validateRequiredOneOf,
  validateSelectorRequirement,
} from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';
import { validateLabels } from '../../metadata.ts';

/** Scheduling constraints of a pod: affinity, tolerations, topology spread. Cf. upstream validateAffinity and the functions after it. */
const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferredTerms = 'preferredDuringSchedulingIgnoredDuringExecution';

export function validateAffinity(given: Decoded<corev1.Affinity> | undefined, path: string): Errors {
  if (!given) return none;
  return [
    ...validateNodeAffinity(given.nodeAffinity, `${path}.nodeAffinity`),
    ...validatePodAffinity(given.podAffinity, `${path}.podAffinity`),
    ...validatePodAffinity(given.podAntiAffinity, `${path}.podAntiAffinity`),
  ];
}

function validateNodeAffinity(given: Decoded<corev1.NodeAffinity> | undefined, path: string): Errors {
  if (!given) return none;
  const selector = given[requiredTerms];
  return [
    ...(selector ? validateNodeSelector(selector, `${path}.${requiredTerms}`) : none),
    ...collectErrors(given[preferredTerms] ?? [], (term, index) => {
      const at = `${path}.${preferredTerms}[${index}]`;
      return [...validateWeight(term, `${at}.weight`), ...validateNodeSelectorTerm(term.preference ?? {}, `${at}.preference`)];
    }),
  ];
}

export function validateNodeSelector(selector: Decoded<corev1.NodeSelector>, path: string): Errors {
  const terms = selector.nodeSelectorTerms ?? [];
  if (terms.length === 0) return [required(`${path}.nodeSelectorTerms`, 'must have at least one node selector term')];
  return collectErrors(terms, (term, index) => validateNodeSelectorTerm(term, `${path}.nodeSelectorTerms[${index}]`));
}

function validateNodeSelectorTerm(term: Decoded<corev1.NodeSelectorTerm>, path: string): Errors {
  return [
    ...collectErrors(term.matchExpressions ?? [], (one, index) => validateNodeRequirement(one, `${path}.matchExpressions[${index}]`)),
    ...collectErrors(term.matchFields ?? [], (one, index) => validateFieldRequirement(one, `${path}.matchFields[${index}]`)),
  ];
}

function validateNodeRequirement(requirement: Decoded<corev1.NodeSelectorRequirement>, path: string): Errors {
  const { operator, values = [] } = requirement;
  if (operator !== 'Gt' && operator !== 'Lt') return validateSelectorRequirement(requirement, path);
  const why = "must be specified single value when `operator` is 'Lt' or 'Gt'";
  return validateSelectorRequirement(requirement, path, values.length === 1 ? none : [required(`${path}.values`, why)]);
}

function validateFieldRequirement(requirement: Decoded<corev1.NodeSelectorRequirement>, path: string): Errors {
  const [key, operator, values] = [requirement.key ?? '', requirement.operator ?? '', requirement.values ?? []];
  const errors =
    operator === 'In' || operator === 'NotIn'
      ? values.length === 1
        ? none
        : [required(`${path}.values`, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector")]
      : [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  return key === 'metadata.name' ? errors : [...errors, invalid(`${path}.key`, key, 'not a valid field selector key')];
}

function validateWeight(
  { weight: value = 0 }: Decoded<corev1.PreferredSchedulingTerm | corev1.WeightedPodAffinityTerm>,
  path: string,
): Errors {
  return value <= 0 || value > 100 ? [invalid(path, value, 'must be in the range 1-100')] : none;
}

function validatePodAffinity(given: Decoded<corev1.PodAffinity> | undefined, path: string): Errors {
  if (!given) return none;
  return [
    ...collectErrors(given[requiredTerms] ?? [], (term, index) => validatePodAffinityTerm(term, `${path}.${requiredTerms}[${index}]`)),
    ...collectErrors(given[preferredTerms] ?? [], (term, index) => {
      const at = `${path}.${preferredTerms}[${index}]`;
      return [...validateWeight(term, `${at}.weight`), ...validatePodAffinityTerm(term.podAffinityTerm ?? {}, `${at}.podAffinityTerm`)];
    }),
  ];
}

function validatePodAffinityTerm(term: Decoded<corev1.PodAffinityTerm>, path: string): Errors {
  const topologyKey = term.topologyKey ?? '';
  return [
    ...validateLabelSelector(term.labelSelector, `${path}.labelSelector`),
    ...validateLabelSelector(term.namespaceSelector, `${path}.namespaceSelector`),
    ...collectErrors(term.namespaces ?? [], (namespace) => validateDnsLabel(namespace, `${path}.namespace`)),
    ...validateMergedLabelKeys(term, path),
    ...(topologyKey === '' ? [required(`${path}.topologyKey`, 'can not be empty')] : none),
    ...validateNameWith(isQualifiedName, topologyKey, `${path}.topologyKey`),
  ];
}

/** Label keys whose values are merged into the selector. Cf. upstream ValidateMatchLabelKeysAndMismatchLabelKeys. */
function validateMergedLabelKeys(term: Decoded<corev1.PodAffinityTerm>, path: string): Errors {
  const selector = term.labelSelector;
  const [matching, mismatching] = [term.matchLabelKeys ?? [], term.mismatchLabelKeys ?? []];
  const excluded = new Set(mismatching);
  return [
    ...validateLabelKeys(matching, selector, `${path}.matchLabelKeys`),
    ...validateLabelKeys(mismatching, selector, `${path}.mismatchLabelKeys`),
    ...(selector ? validateSelectorKeys(matching, selector, path) : none),
    ...collectErrors(matching, (key, index) =>
      excluded.has(key) ? [invalid(`${path}.matchLabelKeys[${index}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys')] : none,
    ),
  ];
}

function validateLabelKeys(keys: readonly string[], selector: JsonObject | undefined, path: string): Errors {
  if (keys.length === 0) return none;
  if (!selector) return [forbiddenField(path, 'must not be specified when labelSelector is not set')];
  return collectErrors(keys, (key, index) => validateNameWith(isQualifiedName, key, `${path}[${index}]`));
}

/** The server itself adds one requirement per key; a second one is the user's. The error has the index of the term, as in upstream. */
function validateSelectorKeys(keys: readonly string[], selector: Decoded<metav1.LabelSelector>, path: string): Errors {
  const matchLabels = selector.matchLabels ?? {};
  const seen = new Set<string>();
  const lastIndexes = new Map(keys.map((key, index) => [key, index]));
  return collectErrors(selector.matchExpressions ?? [], (one) => {
    const key = one.key ?? '';
    const index = lastIndexes.get(key);
    const again = index !== undefined && (seen.has(key) || Object.hasOwn(matchLabels, key));
    seen.add(key);
    return again ? [invalid(`${path}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector')] : none;
  });
}

export function validateTolerations(spec: Decoded<corev1.PodSpec>, path: string): Errors {
  return collectErrors(spec.tolerations ?? [], (toleration, index) => validateToleration(toleration, `${path}[${index}]`));
}

function validateToleration(toleration: Decoded<corev1.Toleration>, path: string): Errors {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds: seconds } = toleration;
  return [
    ...(key === '' ? none : validateLabels({ [key]: '' }, `${path}.key`)),
    ...(key === '' && operator !== 'Exists'
      ? [invalid(`${path}.operator`, operator, 'operator must be Exists when `key` is empty, which means "match all values and all keys"')]
      : none),
    ...(seconds !== undefined && effect !== 'NoExecute'
      ? [invalid(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")]
      : none),
    ...validateTolerationOperator(operator, value, path),
    ...(effect === '' ? none : validateOneOf(effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute'], `${path}.effect`)),
  ];
}

function validateTolerationOperator(operator: string, value: string, path: string): Errors {
  switch (operator) {
    case 'Equal':
    case '': {
      const wrong = isLabelValue(value);
      return wrong.length > 0 ? [invalid(`${path}.operator`, value, wrong.join(';'))] : none;
    }
    case 'Exists':
      return value === '' ? none : [invalid(`${path}.operator`, value, "value must be empty when `operator` is 'Exists'")];
    default:
      return validateOneOf(operator, ['Equal', 'Exists'], `${path}.operator`);
  }
}

export function validateTopologySpread(spec: Decoded<corev1.PodSpec>, path: string): Errors {
  const constraints = spec.topologySpreadConstraints ?? [];
  const pairOf = (one: Decoded<corev1.TopologySpreadConstraint>): string => `{${one.topologyKey ?? ''}, ${one.whenUnsatisfiable ?? ''}}`;
  const lastOfPair = new Map(constraints.map((constraint, index) => [pairOf(constraint), index]));
  return collectErrors(constraints, (constraint, index) => {
    const at = `${path}[${index}]`;
    const [skew, key, action] = [constraint.maxSkew ?? 0, constraint.topologyKey ?? '', constraint.whenUnsatisfiable ?? ''];
    const pair = pairOf(constraint);
    const again = (lastOfPair.get(pair) ?? index) > index;
    const domains = constraint.minDomains;
    return [
      ...(skew <= 0 ? [invalid(`${at}.maxSkew`, skew, 'must be greater than zero')] : none),
      ...(key === '' ? [required(`${at}.topologyKey`, 'can not be empty')] : none),
      ...validateOneOf(action, ['DoNotSchedule', 'ScheduleAnyway'], `${at}.whenUnsatisfiable`),
      ...(again ? [duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, pair)] : none),
      ...(domains === undefined ? none : validateMinDomains(domains, action, `${at}.minDomains`)),
      ...validateOneOf(constraint.nodeAffinityPolicy, ['Honor', 'Ignore'], `${at}.nodeAffinityPolicy`),
      ...validateOneOf(constraint.nodeTaintsPolicy, ['Honor', 'Ignore'], `${at}.nodeTaintsPolicy`),
      ...validateMergedLabelKeys(constraint, at),
      ...validateLabelSelector(constraint.labelSelector, `${at}.labelSelector`),
    ];
  });
}

function validateMinDomains(domains: number, action: string, path: string): Errors {
  return [
    ...(domains <= 0 ? [invalid(path, domains, 'must be greater than zero')] : none),
    ...(action === 'DoNotSchedule'
      ? none
      : [invalid(path, domains, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`)]),
  ];
}

/** A preemption policy must be a supported one when set. */
export function validatePreemptionPolicy(
  { preemptionPolicy: policy }: Pick<Decoded<corev1.PodSpec>, 'preemptionPolicy'>,
  path: string,
): Errors {
  return policy === undefined ? none : validateRequiredOneOf(policy, ['PreemptLowerPriority', 'Never'], fieldAt(path, 'preemptionPolicy'));
}
