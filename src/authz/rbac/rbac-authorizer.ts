import { aggregateErrors, type Product } from '../../meta/index.ts';
import type { Attributes, Identity } from '../attributes.ts';
import type { Authorizer, Decision, RuleList } from '../authorizer.ts';
import { findNearestRule, findSufficientRoles } from './nearest-rule.ts';
import type { PolicyRule, RoleBinding, RoleSource } from './policy.ts';
import { subjectFor } from './role-index.ts';
import { bindingsIn, grantedRules, missingRoleError } from './role-rules.ts';
import { describeRule, ruleAllows } from './rules.ts';

/** Authorizes by roles and bindings (part 2.11). Cf. upstream plugin/pkg/auth/authorizer/rbac. */
export function rbacAuthorizer(source: RoleSource, product: Product): Authorizer {
  return {
    name: 'RBAC',
    authorize(attributes) {
      const { user, namespace } = attributes;
      const found = findAllowingRule(source, source.bindingsFor(user, ''), attributes);
      if (found) return found;
      const below = namespace === '' ? undefined : findAllowingRule(source, source.bindingsFor(user, namespace), attributes);
      return below ?? new UndecidedDecision(source, attributes, product);
    },
    rulesFor: (user, namespace) => listRules(source, user, namespace, product),
  };
}

function findAllowingRule(source: RoleSource, bindings: readonly RoleBinding[], attributes: Attributes): Decision | undefined {
  for (const binding of bindings) {
    const { role, namespace } = binding;
    for (const rule of source.rulesForVerb(attributes.verb, role.kind === 'Role' ? namespace : '', role.name)) {
      if (ruleAllows(rule, attributes)) return new AllowedDecision(attributes.user, binding, grantedRules(source, binding) ?? [], rule);
    }
  }
  return undefined;
}

/** Its messages are computed on demand: most requests do not need them. */
class AllowedDecision implements Decision {
  readonly verdict = 'allow';
  readonly #user: Identity;
  readonly #binding: RoleBinding;
  readonly #rules: readonly PolicyRule[];
  readonly #rule: PolicyRule;

  constructor(user: Identity, binding: RoleBinding, rules: readonly PolicyRule[], rule: PolicyRule) {
    this.#user = user;
    this.#binding = binding;
    this.#rules = rules;
    this.#rule = rule;
  }

  get reason(): string {
    return `RBAC: allowed by ${describeBinding(this.#user, this.#binding)}`;
  }

  get evidence(): string {
    const number = this.#rules.indexOf(this.#rule) + 1;
    return `RBAC: ${describeBinding(this.#user, this.#binding)}, rule ${number}: ${describeRule(this.#rule)}`;
  }
}

class UndecidedDecision implements Decision {
  readonly verdict = 'no-opinion';
  readonly #source: RoleSource;
  readonly #attributes: Attributes;
  readonly #product: Product;

  constructor(source: RoleSource, attributes: Attributes, product: Product) {
    this.#source = source;
    this.#attributes = attributes;
    this.#product = product;
  }

  /** Reports bindings to missing roles. */
  get reason(): string {
    const { user, namespace } = this.#attributes;
    const errors = missingRoles(this.#source, bindingsIn(this.#source, user, namespace), this.#product);
    return errors === '' ? '' : `RBAC: ${errors}`;
  }

  get evidence(): string {
    const { user, namespace } = this.#attributes;
    const near = findNearestRule(this.#source, bindingsIn(this.#source, user, namespace), this.#attributes);
    const nearest = near ? `nearest is ${describeBinding(user, near.binding)}: ${describeRule(near.rule)}, ${near.lacks}` : 'no rule';
    const roles = findSufficientRoles(this.#source, this.#attributes);
    return `RBAC: ${nearest}${roles.length === 0 ? '' : `; ${roles.join(', ')} would allow it`}`;
  }
}

function missingRoles(source: RoleSource, bindings: readonly RoleBinding[], product: Product): string {
  const dangling = bindings.filter((binding) => grantedRules(source, binding) === undefined);
  return aggregateErrors(dangling.map((binding) => missingRoleError(binding, product).message));
}

/** `RoleBinding "v/ns" of ClusterRole "view" to Group "qa"`. */
function describeBinding(user: Identity, binding: RoleBinding): string {
  const { namespace, name, role } = binding;
  const subject = subjectFor(user, binding);
  const home = subject?.namespace === '' ? namespace : subject?.namespace;
  const subjectName = subject?.kind === 'ServiceAccount' ? `${subject.name}/${home}` : (subject?.name ?? '');
  const what = namespace === '' ? `ClusterRoleBinding ${JSON.stringify(name)}` : `RoleBinding ${JSON.stringify(`${name}/${namespace}`)}`;
  return `${what} of ${role.kind} ${JSON.stringify(role.name)} to ${subject?.kind ?? ''} ${JSON.stringify(subjectName)}`;
}

function listRules(source: RoleSource, user: Identity, namespace: string, product: Product): RuleList {
  const bindings = bindingsIn(source, user, namespace);
  const rules = bindings.flatMap((binding) => grantedRules(source, binding) ?? []);
  return {
    resourceRules: rules.filter(({ resources }) => resources.length > 0),
    nonResourceRules: rules.filter(({ nonResourceURLs }) => nonResourceURLs.length > 0),
    incomplete: false,
    error: missingRoles(source, bindings, product),
  };
}
