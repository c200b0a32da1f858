import {
  collectErrors,
  type FieldError,
  invalid,
  isDns1123Subdomain,
  isPathSegmentName,
  type JsonObject,
  required,
} from '../../../meta/index.ts';
import type { rbacv1 } from '../../api/index.ts';
import { isSemanticallyEqual } from '../accessors.ts';
import { type Errors, none, unsupported, validateLabelSelector, validateNameWith } from '../checks.ts';
import type { Decoded } from '../decoded.ts';
import { goRoleRef, toGoValue } from '../go-values.ts';
import type { KindValidator, KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateFullMetadata, validateObjectMetaUpdate } from '../update-validators.ts';

/** Roles and role bindings. Cf. upstream pkg/apis/rbac/validation. */
export function rbacValidators({ rename }: ValidationContext): KindValidators {
  const group = rename('rbac.authorization.k8s.io');
  return {
    'rbac.Role': validatedTwice('rbac.Role', true, (role) => validateRules(role, true)),
    'rbac.ClusterRole': validatedTwice('rbac.ClusterRole', false, validateClusterRole),
    'rbac.RoleBinding': validatedTwice('rbac.RoleBinding', true, (one) => validateBinding(one, true, group), validateImmutableRoleRef),
    'rbac.ClusterRoleBinding': validatedTwice(
      'rbac.ClusterRoleBinding',
      false,
      (one) => validateBinding(one, false, group),
      validateImmutableRoleRef,
    ),
  };
}

type UpdateRule = (next: JsonObject, old: JsonObject) => Errors;

/** On update, everything is validated twice. */
function validatedTwice(
  type: string,
  namespaced: boolean,
  validate: (object: JsonObject) => Errors,
  change: UpdateRule = () => none,
): KindValidator {
  const whole = (object: JsonObject): Errors => [...validateFullMetadata({ type, namespaced }, object), ...validate(object)];
  return {
    create: validate,
    update: (next, old) => [...whole(next), ...whole(next), ...validateObjectMetaUpdate(next, old), ...change(next, old)],
  };
}

function validateRules(role: Decoded<rbacv1.Role>, namespaced: boolean): Errors {
  return collectErrors(role.rules ?? [], (rule, index) => validatePolicyRule(rule, namespaced, `rules[${index}]`));
}

function validatePolicyRule(rule: Decoded<rbacv1.PolicyRule>, namespaced: boolean, path: string): Errors {
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs: urls = [] } = rule;
  const errors: FieldError[] = [];
  if ((rule.verbs ?? []).length === 0) errors.push(required(`${path}.verbs`, 'verbs must contain at least one value'));
  if (urls.length > 0) {
    const at = `${path}.nonResourceURLs`;
    if (namespaced) errors.push(invalid(at, urls, 'namespaced rules cannot apply to non-resource URLs'));
    if (apiGroups.length + resources.length + resourceNames.length > 0) {
      errors.push(invalid(at, urls, 'rules cannot apply to both regular resources and non-resource URLs'));
    }
    return errors;
  }
  if (apiGroups.length === 0) errors.push(required(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
  if (resources.length === 0) errors.push(required(`${path}.resources`, 'resource rules must supply at least one resource'));
  return errors;
}

function validateClusterRole(role: Decoded<rbacv1.ClusterRole>): Errors {
  const aggregation = role.aggregationRule;
  return [...validateRules(role, false), ...(aggregation ? validateAggregationRule(aggregation) : none)];
}

function validateAggregationRule(aggregation: Decoded<rbacv1.AggregationRule>): Errors {
  const path = 'aggregationRule.clusterRoleSelectors';
  const selectors = aggregation.clusterRoleSelectors ?? [];
  if (selectors.length === 0) return [required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  return collectErrors(selectors, (selector, index) => {
    const wrong = validateLabelSelector(selector, `${path}[${index}]`);
    return wrong.length > 0 ? [...wrong, invalid(`${path}[${index}]`, null, 'invalid label selector.')] : none;
  });
}

function validateBinding(object: Decoded<rbacv1.RoleBinding>, namespaced: boolean, group: string): Errors {
  const { apiGroup = '', kind = '', name = '' } = object.roleRef ?? {};
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  return [
    ...(apiGroup === group ? none : [unsupported('roleRef.apiGroup', apiGroup, [group])]),
    ...(kinds.includes(kind) ? none : [unsupported('roleRef.kind', kind, kinds)]),
    ...(name === '' ? [required('roleRef.name', '')] : validateNameWith(isPathSegmentName, name, 'roleRef.name')),
    ...collectErrors(object.subjects ?? [], (subject, index) => validateRoleSubject(subject, namespaced, group, `subjects[${index}]`)),
  ];
}

function validateRoleSubject(subject: Decoded<rbacv1.Subject>, namespaced: boolean, group: string, path: string): Errors {
  const { kind = '', name = '', apiGroup = '', namespace = '' } = subject;
  const nameless = name === '' ? [required(`${path}.name`, '')] : none;
  switch (kind) {
    case 'ServiceAccount':
      return [
        ...nameless,
        ...(name === '' ? none : validateNameWith(isDns1123Subdomain, name, `${path}.name`)),
        ...(apiGroup === '' ? none : [unsupported(`${path}.apiGroup`, apiGroup, [''])]),
        ...(!namespaced && namespace === '' ? [required(`${path}.namespace`, '')] : none),
      ];
    case 'User':
    case 'Group':
      return [...nameless, ...(apiGroup === group ? none : [unsupported(`${path}.apiGroup`, apiGroup, [group])])];
    default:
      return [...nameless, unsupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group'])];
  }
}

function validateImmutableRoleRef(next: Decoded<rbacv1.RoleBinding>, old: Decoded<rbacv1.RoleBinding>): Errors {
  return isSemanticallyEqual(next.roleRef, old.roleRef)
    ? none
    : [invalid('roleRef', toGoValue(next.roleRef ?? {}, goRoleRef), 'cannot change roleRef')];
}
