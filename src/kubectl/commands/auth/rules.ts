import { type JsonObject, objectsAt } from '../../../meta/index.ts';

/** A rule of a role with all of its lists. */
interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

export function rulesOf(role: JsonObject): readonly Rule[] {
  const texts = (rule: JsonObject, member: string): string[] => (Array.isArray(rule[member]) ? rule[member].map(String) : []);
  return objectsAt(role, 'rules').map((rule) => ({
    verbs: texts(rule, 'verbs'),
    apiGroups: texts(rule, 'apiGroups'),
    resources: texts(rule, 'resources'),
    resourceNames: texts(rule, 'resourceNames'),
    nonResourceURLs: texts(rule, 'nonResourceURLs'),
  }));
}

/** The rights of `wanted` that `held` does not cover, each one verb on one resource or path. Cf. component-helpers rbac/validation Covers. */
export function uncoveredRules(held: readonly Rule[], wanted: readonly Rule[]): readonly Rule[] {
  return wanted.flatMap(breakdown).filter((right) => !held.some((rule) => covers(rule, right)));
}

function breakdown({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: Rule): Rule[] {
  const names = resourceNames.length === 0 ? [[]] : resourceNames.map((name) => [name]);
  const onResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        names.map((name) => ({ verbs: [verb], apiGroups: [group], resources: [resource], resourceNames: name, nonResourceURLs: [] })),
      ),
    ),
  );
  const onPaths = nonResourceURLs.flatMap((url) =>
    verbs.map((verb) => ({ verbs: [verb], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [url] })),
  );
  return [...onResources, ...onPaths];
}

function covers(rule: Rule, right: Rule): boolean {
  const all = (held: readonly string[], wanted: readonly string[]): boolean =>
    held.includes('*') || wanted.every((one) => held.includes(one));
  const named =
    rule.resourceNames.length === 0 ||
    (right.resourceNames.length > 0 && right.resourceNames.every((name) => rule.resourceNames.includes(name)));
  return (
    named &&
    all(rule.verbs, right.verbs) &&
    all(rule.apiGroups, right.apiGroups) &&
    right.resources.every((resource) => coversResource(rule.resources, resource)) &&
    right.nonResourceURLs.every((path) => rule.nonResourceURLs.some((url) => coversPath(url, path)))
  );
}

function coversResource(held: readonly string[], wanted: string): boolean {
  const cut = wanted.indexOf('/');
  return held.includes('*') || held.includes(wanted) || (cut >= 0 && held.includes(`*/${wanted.slice(cut + 1)}`));
}

function coversPath(url: string, path: string): boolean {
  return url === path || (url.endsWith('*') && path.startsWith(url.replace(/\*+$/, '')));
}

/** As Go prints the rule with its field names. */
export function formatRule({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: Rule): string {
  const list = (values: readonly string[]): string => `[${values.join(' ')}]`;
  return `{Verbs:${list(verbs)} APIGroups:${list(apiGroups)} Resources:${list(resources)} ResourceNames:${list(resourceNames)} NonResourceURLs:${list(nonResourceURLs)}}`;
}
