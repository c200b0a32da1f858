import {
  collectErrors,
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  isDns1123Label,
  isDns1123Subdomain,
  repeatedIndexes,
  required,
} from '../../../meta/index.ts';
import type { flowcontrolv1, metav1 } from '../../api/index.ts';
import { type Errors, none, unsupported, validateDnsLabel, validateNameWith, validateOneOf, validateRange } from '../checks.ts';
import type { Decoded } from '../decoded.ts';
import type { KindValidators } from '../kind-validator.ts';
import { validateFullMetadata } from '../update-validators.ts';

/** Cf. upstream pkg/apis/flowcontrol/validation. */
export const flowControlValidators: KindValidators = {
  'flowcontrol.FlowSchema': {
    create: validateFlowSchema,
    update: (next) => [...validateFullMetadata({ type: 'flowcontrol.FlowSchema', namespaced: false }, next), ...validateFlowSchema(next)],
    updateStatus: validateConditionTypes,
  },
  'flowcontrol.PriorityLevelConfiguration': {
    create: validatePriorityLevel,
    update: (next) => [
      ...validateFullMetadata({ type: 'flowcontrol.PriorityLevelConfiguration', namespaced: false }, next),
      ...validatePriorityLevel(next),
    ],
    updateStatus: validateConditionTypes,
  },
};

/** What flow schemas and priority levels have in common. */
type WithConditions = Decoded<{ metadata: metav1.ObjectMeta; status: { conditions: { type: string }[] } }>;

/** Each condition requires a type, which must be unique. */
function validateConditionTypes({ status }: WithConditions): Errors {
  const types = (status?.conditions ?? []).map(({ type = '' }) => type);
  const repeated = repeatedIndexes(types);
  return collectErrors(types, (type, index) => {
    const path = `status.conditions[${index}].type`;
    return [...(repeated.has(index) ? [duplicate(path, type)] : none), ...(type === '' ? [required(path, '')] : none)];
  });
}

const maxPrecedence = 10_000;

function validateFlowSchema(object: Decoded<flowcontrolv1.FlowSchema>): Errors {
  const name = object.metadata?.name ?? '';
  const spec = object.spec ?? {};
  const precedence = spec.matchingPrecedence ?? 0;
  const method = spec.distinguisherMethod;
  const level = spec.priorityLevelConfiguration?.name ?? '';
  const at = 'spec.matchingPrecedence';
  const errors: FieldError[] = [];
  if (precedence <= 0) errors.push(invalid(at, precedence, 'must be a positive value'));
  if (precedence > maxPrecedence) errors.push(invalid(at, precedence, `must not be greater than ${maxPrecedence}`));
  if (precedence === 1 && name !== 'exempt')
    errors.push(invalid(at, precedence, "only the schema named 'exempt' may have matchingPrecedence 1"));
  const methods = ['ByNamespace', 'ByUser'];
  if (method && !methods.includes(method.type ?? '')) {
    errors.push(unsupported('spec.distinguisherMethod.type', { Type: method.type ?? '' }, methods));
  }
  const path = 'spec.priorityLevelConfiguration.name';
  errors.push(...(level === '' ? [required(path, 'must reference a priority level')] : validateNameWith(isDns1123Subdomain, level, path)));
  return [...errors, ...collectErrors(spec.rules ?? [], (rule, index) => validatePolicyRule(rule, `spec.rules[${index}]`))];
}

function validatePolicyRule(rule: Decoded<flowcontrolv1.PolicyRulesWithSubjects>, path: string): Errors {
  const { resourceRules: resources = [], nonResourceRules: urls = [] } = rule;
  const subjects = rule.subjects ?? [];
  return [
    ...(subjects.length === 0 ? [required(`${path}.subjects`, 'subjects must contain at least one value')] : none),
    ...collectErrors(subjects, (subject, index) => validateFlowSubject(subject, `${path}.subjects[${index}]`)),
    ...(resources.length + urls.length === 0
      ? [required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty')]
      : none),
    ...collectErrors(resources, (one, index) => validateResourceRule(one, `${path}.resourceRules[${index}]`)),
    ...collectErrors(urls, (one, index) => validateUrlRule(one, `${path}.nonResourceRules[${index}]`)),
  ];
}

/** The member for each kind of subject, in upstream's order. */
const members = [
  ['ServiceAccount', 'serviceAccount'],
  ['User', 'user'],
  ['Group', 'group'],
] as const;

function validateFlowSubject(subject: Decoded<flowcontrolv1.Subject>, path: string): Errors {
  const kind = subject.kind ?? '';
  const own = members.find(([name]) => name === kind)?.[1];
  if (own === undefined) return [unsupported(`${path}.kind`, kind, ['Group', 'ServiceAccount', 'User'])];
  const value: Decoded<flowcontrolv1.ServiceAccountSubject> | undefined = subject[own];
  const others = members.filter(([, field]) => field !== own && subject[field] !== undefined);
  const missing = value
    ? [
        ...validateSubjectName(value.name, 'name', own, `${path}.${own}`),
        ...(own === 'serviceAccount' ? validateSubjectName(value.namespace, 'namespace', own, `${path}.${own}`) : none),
      ]
    : [required(`${path}.${own}`, `${own} is required when subject kind is '${kind}'`)];
  return [
    ...missing,
    ...others.map(([name, field]) => forbiddenField(`${path}.${field}`, `${field} is forbidden when subject kind is not '${name}'`)),
  ];
}

function validateSubjectName(text = '', field: string, own: string, path: string): Errors {
  if (text === '')
    return [
      required(`${path}.${field}`, own === 'serviceAccount' && field === 'namespace' ? 'must specify namespace for service account' : ''),
    ];
  if (own !== 'serviceAccount' || text === '*') return none;
  return field === 'namespace'
    ? validateDnsLabel(text, `${path}.${field}`)
    : validateNameWith(isDns1123Subdomain, text, `${path}.${field}`);
}

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

function validateRuleVerbs(rule: Decoded<flowcontrolv1.ResourcePolicyRule>, path: string): Errors {
  const given = rule.verbs ?? [];
  const at = `${path}.verbs`;
  if (given.length === 0) return [required(at, 'verbs must contain at least one value')];
  if (given.includes('*')) return given.length > 1 ? [invalid(at, given, "if '*' is present, must not specify other verbs")] : none;
  return given.every((verb) => verbs.includes(verb)) ? none : [unsupported(at, [...given], verbs)];
}

function validateResourceRule(rule: Decoded<flowcontrolv1.ResourcePolicyRule>, path: string): Errors {
  const list = (field: 'apiGroups' | 'resources', what: string, one: string): Errors => {
    const values = rule[field] ?? [];
    if (values.length === 0) return [required(`${path}.${field}`, `resource rules must supply at least one ${one}`)];
    const mixed = values.length > 1 && values.includes('*');
    return mixed ? [invalid(`${path}.${field}`, values, `if '*' is present, must not specify other ${what}`)] : none;
  };
  const namespaces = rule.namespaces ?? [];
  const placeless = namespaces.length === 0 && rule.clusterScope !== true;
  return [
    ...validateRuleVerbs(rule, path),
    ...list('apiGroups', 'api groups', 'api group'),
    ...list('resources', 'resources', 'resource'),
    ...(placeless
      ? [required(`${path}.namespaces`, 'resource rules that are not cluster scoped must supply at least one namespace')]
      : none),
    ...validateRuleNamespaces(namespaces, `${path}.namespaces`),
  ];
}

function validateRuleNamespaces(namespaces: readonly string[], path: string): Errors {
  if (namespaces.length > 1 && namespaces.includes('*'))
    return [invalid(path, namespaces, "if '*' is present, must not specify other namespaces")];
  return collectErrors(namespaces, (name, index) =>
    name === '*'
      ? none
      : isDns1123Label(name).map((why) =>
          invalid(`${path}[${index}]`, name, `each member of this list must be '*' or a DNS-1123 label; ${why}`),
        ),
  );
}

function validateUrlRule(rule: Decoded<flowcontrolv1.NonResourcePolicyRule>, path: string): Errors {
  const urls = rule.nonResourceURLs ?? [];
  const at = `${path}.nonResourceURLs`;
  if (urls.length === 0) return [...validateRuleVerbs(rule, path), required(at, 'nonResourceURLs must contain at least one value')];
  if (urls.length > 1 && urls.includes('*')) {
    return [...validateRuleVerbs(rule, path), invalid(at, urls, "if '*' is present, must not specify other non-resource URLs")];
  }
  return [...validateRuleVerbs(rule, path), ...collectErrors(urls, (url, index) => validateUrlPath(url, `${at}[${index}]`))];
}

function validateUrlPath(url: string, path: string): Errors {
  if (url === '*') return none;
  if (url === '') return [invalid(path, url, 'must not be empty')];
  if (!url.startsWith('/')) return [invalid(path, url, 'must start with slash')];
  if (url.includes(' ')) return [invalid(path, url, 'must not contain white-space')];
  if (url.includes('//')) return [invalid(path, url, 'must not contain double slash')];
  return /\*./.test(url) ? [invalid(path, url, 'wildcard can only do suffix matching')] : none;
}

function validatePriorityLevel(object: Decoded<flowcontrolv1.PriorityLevelConfiguration>): Errors {
  const name = object.metadata?.name ?? '';
  const spec = object.spec ?? {};
  const type = spec.type ?? '';
  const wrongType =
    (name === 'exempt') === (type === 'Exempt') ? none : [invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'")];
  return [...wrongType, ...validateLevelOfType(spec, type)];
}

function validateLevelOfType(spec: Decoded<flowcontrolv1.PriorityLevelConfigurationSpec>, type: string): Errors {
  const [limited, exempt] = [spec.limited, spec.exempt];
  switch (type) {
    case 'Exempt':
      return [
        ...(limited ? [forbiddenField('spec.limited', 'must be nil if the type is not Limited')] : none),
        ...(exempt ? validateExemptLevel(exempt, 'spec.exempt') : none),
      ];
    case 'Limited':
      return [
        ...(exempt ? [forbiddenField('spec.exempt', 'must be nil if the type is Limited')] : none),
        ...(limited ? validateLimitedLevel(limited, 'spec.limited') : [required('spec.limited', 'must not be empty when type is Limited')]),
      ];
    default:
      return [unsupported('spec.type', type, ['Exempt', 'Limited'])];
  }
}

function validateExemptLevel(exempt: Decoded<flowcontrolv1.ExemptPriorityLevelConfiguration>, path: string): Errors {
  const { nominalConcurrencyShares: shares = 0, lendablePercent: lendable = 0 } = exempt;
  return [
    ...(shares < 0 ? [invalid(`${path}.nominalConcurrencyShares`, shares, 'must be a non-negative integer')] : none),
    ...validateRange(lendable, 0, 100, `${path}.lendablePercent`),
  ];
}

function validateLimitedLevel(limited: Decoded<flowcontrolv1.LimitedPriorityLevelConfiguration>, path: string): Errors {
  const { nominalConcurrencyShares: shares, lendablePercent: lendable, borrowingLimitPercent: borrowing } = limited;
  const errors: FieldError[] = [];
  if (shares && shares < 0) errors.push(invalid(`${path}.nominalConcurrencyShares`, shares, 'must be a non-negative integer'));
  errors.push(...validateLimitResponse(limited.limitResponse ?? {}, `${path}.limitResponse`));
  if (lendable !== undefined && (lendable < 0 || lendable > 100)) {
    errors.push(invalid(`${path}.lendablePercent`, lendable, 'must be between 0 and 100, inclusive'));
  }
  if (borrowing !== undefined && borrowing < 0) {
    errors.push(invalid(`${path}.borrowingLimitPercent`, borrowing, 'if specified, must be a non-negative integer'));
  }
  return errors;
}

function validateLimitResponse(response: Decoded<flowcontrolv1.LimitResponse>, path: string): Errors {
  const type = response.type ?? '';
  const queuing = response.queuing;
  switch (type) {
    case 'Reject':
      return queuing ? [forbiddenField(`${path}.queuing`, 'must be nil if limited.limitResponse.type is not Limited')] : none;
    case 'Queue':
      return queuing
        ? validateQueues(queuing, `${path}.queuing`)
        : [required(`${path}.queuing`, 'must not be empty if limited.limitResponse.type is Limited')];
    default:
      return validateOneOf(type, ['Queue', 'Reject'], `${path}.type`);
  }
}

const maxQueues = 10_000_000;
const maxEntropyBits = 60;

function validateQueues(queuing: Decoded<flowcontrolv1.QueuingConfiguration>, path: string): Errors {
  const { queueLengthLimit: length = 0, queues: count = 0, handSize: hand = 0 } = queuing;
  const errors: FieldError[] = [];
  if (length <= 0) errors.push(invalid(`${path}.queueLengthLimit`, length, 'must be positive'));
  if (count <= 0) errors.push(invalid(`${path}.queues`, count, 'must be positive'));
  else if (count > maxQueues) errors.push(invalid(`${path}.queues`, count, `must not be greater than ${maxQueues}`));
  const at = `${path}.handSize`;
  if (hand <= 0) errors.push(invalid(at, hand, 'must be positive'));
  else if (hand > count) errors.push(invalid(at, hand, `should not be greater than queues (${count})`));
  else if (entropyBits(count, hand) > maxEntropyBits) {
    errors.push(
      invalid(at, hand, `required entropy bits of deckSize ${count} and handSize ${hand} should not be greater than ${maxEntropyBits}`),
    );
  }
  return errors;
}

/** Bits of entropy needed to deal a hand (upstream shufflesharding.RequiredEntropyBits). */
function entropyBits(deck: number, hand: number): number {
  let bits = 0;
  for (let dealt = 0; dealt < hand && bits <= maxEntropyBits; dealt++) bits += Math.log2(deck - dealt);
  return Math.ceil(bits);
}
