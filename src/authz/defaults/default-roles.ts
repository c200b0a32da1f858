import type { JsonObject, Product } from '../../meta/index.ts';
import data from './default-roles.json?raw';

/** A role or binding that the server creates and reconciles (part 2.11). */
export interface DefaultObject {
  readonly resource: 'clusterroles' | 'clusterrolebindings' | 'roles' | 'rolebindings';
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  /** Without kind and apiVersion. */
  readonly object: JsonObject;
}

/** `verbs groups resources [names]`, or `verbs urls`; `core` stands for the core group. */
type RuleText = string;

interface ClusterRoleData {
  /** `edit`: labels the role for aggregation to the role that collects `edit`. */
  readonly partOf?: string;
  readonly collects?: string;
  readonly rules?: readonly RuleText[];
}

/** `Group system:masters`, `ServiceAccount kube-system/x`. */
type SubjectText = string;

interface DefaultsData {
  readonly clusterRoles: Readonly<Record<string, readonly RuleText[] | ClusterRoleData>>;
  readonly clusterRoleBindings: BindingsData;
  readonly roles: Readonly<Record<string, readonly RuleText[]>>;
  readonly roleBindings: BindingsData;
}

/** The role has the name of the binding unless it is given. */
type BindingsData = Readonly<Record<string, readonly SubjectText[] | { readonly role: string; readonly subjects: readonly SubjectText[] }>>;

/** Cf. upstream plugin/pkg/auth/authorizer/rbac/bootstrappolicy. */
export function defaultRoles(product: Product): readonly DefaultObject[] {
  const { clusterRoles, clusterRoleBindings, roles, roleBindings }: DefaultsData = JSON.parse(product.rename(data));
  const group = product.rename('rbac.authorization.k8s.io');
  const mark = product.rename('kubernetes.io/bootstrapping');
  const annotations = { [product.rename('rbac.authorization.kubernetes.io/autoupdate')]: 'true' };
  const metadataOf = (place: string, labels: JsonObject = {}): JsonObject => {
    const { namespace, name } = placeOf(place);
    const named = namespace === '' ? { name } : { name, namespace };
    return { ...named, labels: { [mark]: 'rbac-defaults', ...labels }, annotations };
  };
  const labelFor = (part: string): string => `${group}/aggregate-to-${part}`;

  const createClusterRole = (name: string, given: readonly RuleText[] | ClusterRoleData): JsonObject => {
    const { partOf, collects, rules } = 'map' in given ? ({ rules: given } as ClusterRoleData) : given;
    return {
      metadata: metadataOf(name, partOf === undefined ? {} : { [labelFor(partOf)]: 'true' }),
      rules: rules ? rules.map(ruleOf) : null,
      ...(collects === undefined ? {} : { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [labelFor(collects)]: 'true' } }] } }),
    };
  };
  const createBinding = (place: string, kind: string, given: BindingsData[string]): JsonObject => {
    const { role, subjects } = 'map' in given ? { role: placeOf(place).name, subjects: given } : given;
    return {
      metadata: metadataOf(place),
      ...(subjects.length === 0 ? {} : { subjects: subjects.map((subject) => subjectOf(subject, group)) }),
      roleRef: { apiGroup: group, kind, name: role },
    };
  };
  const createObjects = <T>(
    resource: DefaultObject['resource'],
    all: Readonly<Record<string, T>>,
    make: (place: string, given: T) => JsonObject,
  ) => Object.entries(all).map(([place, given]): DefaultObject => ({ resource, ...placeOf(place), object: make(place, given) }));
  return [
    ...createObjects('clusterroles', clusterRoles, createClusterRole),
    ...createObjects('clusterrolebindings', clusterRoleBindings, (place, given) => createBinding(place, 'ClusterRole', given)),
    ...createObjects('roles', roles, (place, rules) => ({ metadata: metadataOf(place), rules: rules.map(ruleOf) })),
    ...createObjects('rolebindings', roleBindings, (place, given) => createBinding(place, 'Role', given)),
  ];
}

/** `kube-system/x` → namespace and name; names of cluster-scoped objects have no slash. */
function placeOf(place: string): { readonly namespace: string; readonly name: string } {
  const cut = place.indexOf('/');
  return { namespace: place.slice(0, Math.max(cut, 0)), name: place.slice(cut + 1) };
}

function ruleOf(text: RuleText): JsonObject {
  const [verbs = [], groups = [], resources, resourceNames] = text.split(' ').map((field) => field.split(','));
  if (!resources) return { verbs, nonResourceURLs: groups };
  const apiGroups = groups.map((group) => (group === 'core' ? '' : group));
  return { verbs, apiGroups, resources, ...(resourceNames ? { resourceNames } : {}) };
}

function subjectOf(text: SubjectText, apiGroup: string): JsonObject {
  const cut = text.indexOf(' ');
  const [kind, place] = [text.slice(0, cut), text.slice(cut + 1)];
  return kind === 'ServiceAccount' ? { kind, ...nameFirst(placeOf(place)) } : { kind, apiGroup, name: place };
}

const nameFirst = ({ namespace, name }: ReturnType<typeof placeOf>): JsonObject => ({ name, namespace });
