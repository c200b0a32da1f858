import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeAggregatedRules } from '../../controllers/role-aggregation/role-aggregation.ts';
import { productByName } from '../../meta/index.ts';
import type { rbacv1 } from '../../schema/api/index.ts';
import { type Attributes, resourceAttributes } from '../attributes.ts';
import type { Decision } from '../authorizer.ts';
import type { PolicyRule, RoleSubject } from './policy.ts';
import { rbacAuthorizer } from './rbac-authorizer.ts';
import { readRules } from './read-policy.ts';
import { RoleIndex } from './role-index.ts';

// Few names, so that rules and requests often match.
const verbs = ['get', 'list', 'create'];
const groups = ['', 'apps'];
const resources = ['pods', 'pods/log', 'pods/status', 'jobs'];
const names = ['', 'a', 'b'];
const namespaces = ['', 'n1', 'n2'];
const paths = ['/healthz', '/healthz/ping', '/apis/apps', '/'];
const roleNames = ['r1', 'r2'];
const labels = ['red', 'blue'];
const users = ['ann', 'bob', 'system:serviceaccount:n1:robot', 'system:serviceaccount:n2:robot'];
const userGroups = ['devs', 'ops'];

const some = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1, maxLength: Math.min(3, values.length) });
const none = fc.constant<string[]>([]);

const resourceRule: fc.Arbitrary<PolicyRule> = fc.record({
  verbs: some([...verbs, '*']),
  apiGroups: some([...groups, '*']),
  resources: some([...resources, '*', '*/log', '*/status']),
  resourceNames: fc.oneof({ arbitrary: none, weight: 2 }, { arbitrary: some(names.slice(1)), weight: 1 }),
  nonResourceURLs: none,
});
const pathRule: fc.Arbitrary<PolicyRule> = fc.record({
  verbs: some([...verbs, '*']),
  apiGroups: none,
  resources: none,
  resourceNames: none,
  nonResourceURLs: some([...paths, '/healthz/*', '/apis/*', '*']),
});
const rules = fc.array(fc.oneof({ arbitrary: resourceRule, weight: 3 }, { arbitrary: pathRule, weight: 1 }), {
  minLength: 1,
  maxLength: 3,
});

interface Role {
  readonly namespace: string;
  readonly name: string;
  readonly rules: readonly PolicyRule[];
  readonly label: string;
  /** Label of the ClusterRoles that it aggregates. */
  readonly collects: string | undefined;
}

const role: fc.Arbitrary<Role> = fc.record({
  namespace: fc.constantFrom(...namespaces),
  name: fc.constantFrom(...roleNames),
  rules,
  label: fc.constantFrom(...labels),
  collects: fc.option(fc.constantFrom(...labels), { nil: undefined, freq: 2 }),
});

const subject: fc.Arbitrary<RoleSubject> = fc.oneof(
  fc.record({ kind: fc.constant('User'), name: fc.constantFrom(...users), namespace: fc.constant('') }),
  fc.record({ kind: fc.constant('Group'), name: fc.constantFrom(...userGroups), namespace: fc.constant('') }),
  fc.record({ kind: fc.constant('ServiceAccount'), name: fc.constant('robot'), namespace: fc.constantFrom(...namespaces) }),
);

interface Binding {
  readonly namespace: string;
  readonly name: string;
  readonly role: { readonly kind: string; readonly name: string };
  readonly subjects: readonly RoleSubject[];
}

const binding: fc.Arbitrary<Binding> = fc.record({
  namespace: fc.constantFrom(...namespaces),
  name: fc.constantFrom('b1', 'b2', 'b3'),
  role: fc.record({ kind: fc.constantFrom('Role', 'ClusterRole'), name: fc.constantFrom(...roleNames) }),
  subjects: fc.array(subject, { minLength: 1, maxLength: 2 }),
});

const seldom = fc.nat(7).map((n) => n === 0);

/** A later object of the same name replaces an earlier one; `isDeleted` deletes it. */
type Change = { readonly isDeleted: boolean } & (
  | { readonly what: 'role'; readonly role: Role }
  | { readonly what: 'binding'; readonly binding: Binding }
);

const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.oneof(
    fc.record({ what: fc.constant('role' as const), role, isDeleted: seldom }),
    fc.record({ what: fc.constant('binding' as const), binding, isDeleted: seldom }),
  ),
  { minLength: 12, maxLength: 24, size: 'max' },
);

const arbitraryUser = fc.record({ username: fc.constantFrom(...users), groups: fc.subarray(userGroups) });
const wantedRights = fc.oneof(
  fc.record({
    verb: fc.constantFrom(...verbs),
    group: fc.constantFrom(...groups),
    resource: fc.constantFrom(...resources),
    namespace: fc.constantFrom(...namespaces),
    name: fc.constantFrom(...names),
  }),
  fc.record({ verb: fc.constantFrom(...verbs), path: fc.constantFrom(...paths) }),
);
type Wanted = { verb: string; group: string; resource: string; namespace: string; name: string } | { verb: string; path: string };
type Requester = { readonly username: string; readonly groups: readonly string[] };

/** A naive model: checks every entry of every rule of every binding. */
class NaiveModel {
  readonly roles = new Map<string, Role>();
  readonly bindings = new Map<string, Binding>();

  update(change: Change): void {
    if (change.what === 'role') store(this.roles, change.role, change.isDeleted);
    else store(this.bindings, change.binding, change.isDeleted);
  }

  allows(requester: Requester, wanted: Wanted): boolean {
    const where = 'namespace' in wanted ? wanted.namespace : '';
    return [...this.bindings.values()]
      .filter(({ namespace }) => namespace === '' || namespace === where)
      .filter((one) => one.subjects.some((subject) => this.#isMeant(subject, one, requester)))
      .flatMap(({ namespace, role: { kind, name } }) => this.#rulesOf(kind === 'Role' ? namespace : '', name))
      .some((rule) => this.#gives(rule, wanted));
  }

  #rulesOf(namespace: string, name: string): readonly PolicyRule[] {
    const found = this.roles.get(`${namespace}/${name}`);
    if (!found) return [];
    if (namespace !== '' || found.collects === undefined) return found.rules;
    const others = [...this.roles.values()].filter(
      (other) => other.namespace === '' && other.name !== name && other.label === found.collects,
    );
    return others.flatMap((other) => other.rules);
  }

  #isMeant({ kind, name, namespace }: RoleSubject, { namespace: home }: Binding, { username, groups: has }: Requester): boolean {
    if (kind === 'User') return username === name;
    if (kind === 'Group') return has.includes(name);
    const of = namespace === '' ? home : namespace;
    return of !== '' && username === `system:serviceaccount:${of}:${name}`;
  }

  #gives(rule: PolicyRule, wanted: Wanted): boolean {
    const is = (list: readonly string[], one: string) => list.includes('*') || list.includes(one);
    if (!is(rule.verbs, wanted.verb)) return false;
    if ('path' in wanted) {
      return rule.nonResourceURLs.some((url) => url === wanted.path || (url.endsWith('*') && wanted.path.startsWith(url.slice(0, -1))));
    }
    const [, subresource] = wanted.resource.split('/');
    const covered = is(rule.resources, wanted.resource) || (subresource !== undefined && rule.resources.includes(`*/${subresource}`));
    return is(rule.apiGroups, wanted.group) && covered && (rule.resourceNames.length === 0 || rule.resourceNames.includes(wanted.name));
  }
}

function store<T extends { readonly namespace: string; readonly name: string }>(
  objects: Map<string, T>,
  object: T,
  isDeleted: boolean,
): void {
  const key = `${object.namespace}/${object.name}`;
  if (isDeleted) objects.delete(key);
  else objects.set(key, object);
}

function updateIndex(index: RoleIndex, change: Change): void {
  if (change.what === 'role') {
    const { namespace, name, rules: own } = change.role;
    index.updateRole(namespace, name, change.isDeleted ? undefined : own);
  } else {
    const { namespace, name } = change.binding;
    index.updateBinding(namespace, name, change.isDeleted ? undefined : change.binding);
  }
}

/** Nested aggregation takes several steps; the model does one. */
const isNested = (clusterRoles: readonly Role[]): boolean =>
  clusterRoles.some(({ collects }) => collects !== undefined && clusterRoles.some((one) => one.collects && one.label === collects));

/** Applies one step of the aggregation controller to the ClusterRoles. */
function aggregated(roles: readonly Role[]): readonly (readonly [name: string, rules: readonly PolicyRule[]])[] {
  const objects = roles.map(
    ({ name, rules: own, label, collects }) =>
      ({
        metadata: { name, labels: { color: label } },
        rules: own,
        ...(collects === undefined ? {} : { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { color: collects } }] } }),
      }) as unknown as rbacv1.ClusterRole,
  );
  return objects.flatMap((object) => {
    const collected = computeAggregatedRules(object, objects);
    return collected === undefined ? [] : [[object.metadata.name ?? '', readRules({ rules: collected })] as const];
  });
}

function attributesOf({ username, groups: has }: Requester, wanted: Wanted): Attributes {
  const user = { username, groups: has, uid: '', extra: {} };
  if ('path' in wanted)
    return { ...resourceAttributes(user, { verb: wanted.verb, group: '', resource: '' }), ...wanted, isResourceRequest: false };
  const [resource = '', subresource = ''] = wanted.resource.split('/');
  return resourceAttributes(user, { ...wanted, resource, subresource });
}

test('decides like a naive model that checks every rule of every binding', () => {
  const verdicts = { allowed: 0, refused: 0 };
  fc.assert(
    fc.property(changes, arbitraryUser, wantedRights, (done, requester, wanted) => {
      const model = new NaiveModel();
      const index = new RoleIndex();
      for (const change of done) {
        model.update(change);
        updateIndex(index, change);
      }
      const clusterRoles = [...model.roles.values()].filter(({ namespace }) => namespace === '');
      fc.pre(!isNested(clusterRoles));
      for (const [name, collected] of aggregated(clusterRoles)) index.updateRole('', name, collected);
      const { verdict } = rbacAuthorizer(index, productByName('kubernetes')).authorize(attributesOf(requester, wanted)) as Decision;
      const allowed = model.allows(requester, wanted);
      verdicts[allowed ? 'allowed' : 'refused'] += 1;
      expect(verdict === 'allow').toBe(allowed);
    }),
    { numRuns: 10_000 },
  );
  expect(Math.min(verdicts.allowed, verdicts.refused)).toBeGreaterThan(1_000);
});
