import { goQuotedList } from '../../meta/index.ts';
import type { PolicyRule } from './policy.ts';
import { coversPath } from './rules.ts';

/** Larger rules (their size is a product of five lists) are reported whole instead of per right. */
const maxBreakdown = 10_000;

/** The rights of `wanted` that no rule of `held` covers, each one verb on one resource or path. Cf. upstream rbac/validation Covers. */
export function findUncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  const index = new RuleIndex(held);
  return wanted.flatMap((rule) => {
    if (held.length > 0 && held.length < 100 && held.some((one) => ruleCovers(one, rule))) return [];
    const parts = countRights(rule) > maxBreakdown ? [rule] : breakdownRule(rule);
    return parts.filter((part) => !index.covers(part));
  });
}

function countRights({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): number {
  return verbs.length * (apiGroups.length * resources.length * Math.max(1, resourceNames.length) + nonResourceURLs.length);
}

/** Rules by group and resource, so that a right is compared only with rules that may cover it. */
class RuleIndex {
  readonly #byResource = new Map<string, PolicyRule[]>();
  readonly #onPaths: readonly PolicyRule[];

  constructor(rules: readonly PolicyRule[]) {
    this.#onPaths = rules.filter(({ nonResourceURLs }) => nonResourceURLs.length > 0);
    for (const rule of rules) {
      for (const group of rule.apiGroups)
        for (const resource of rule.resources) {
          const key = `${group}/${resource}`;
          const known = this.#byResource.get(key);
          if (known) known.push(rule);
          else this.#byResource.set(key, [rule]);
        }
    }
  }

  /** `part` is a single right. */
  covers(part: PolicyRule): boolean {
    const [group = ''] = part.apiGroups;
    const [resource] = part.resources;
    if (resource === undefined) return this.#onPaths.some((rule) => ruleCovers(rule, part));
    const cut = resource.indexOf('/');
    const resources = ['*', resource, ...(cut >= 0 ? [`*/${resource.slice(cut + 1)}`] : [])];
    return ['*', group].some((of) =>
      resources.some((name) => this.#byResource.get(`${of}/${name}`)?.some((rule) => ruleCovers(rule, part)) ?? false),
    );
  }
}

function breakdownRule({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): readonly PolicyRule[] {
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

function ruleCovers(rule: PolicyRule, part: PolicyRule): boolean {
  return (
    coversAll(rule.verbs, part.verbs) &&
    coversAll(rule.apiGroups, part.apiGroups) &&
    part.resources.every((resource) => coversResource(rule.resources, resource)) &&
    part.nonResourceURLs.every((path) => rule.nonResourceURLs.some((url) => url === path || coversPath(url, path))) &&
    (rule.resourceNames.length === 0 ||
      (part.resourceNames.length > 0 && part.resourceNames.every((name) => rule.resourceNames.includes(name))))
  );
}

const coversAll = (held: readonly string[], wanted: readonly string[]): boolean =>
  held.includes('*') || wanted.every((one) => held.includes(one));

function coversResource(held: readonly string[], wanted: string): boolean {
  if (held.includes('*') || held.includes(wanted)) return true;
  const cut = wanted.indexOf('/');
  return cut >= 0 && held.includes(`*/${wanted.slice(cut + 1)}`);
}

/** Merges rules for the same resource. Cf. upstream CompactRules. */
export function compactRules(parts: readonly PolicyRule[]): readonly PolicyRule[] {
  const joined = new Map<string, PolicyRule>();
  for (const part of parts) {
    const key = JSON.stringify([part.apiGroups, part.resources, part.resourceNames, part.nonResourceURLs]);
    const same = part.nonResourceURLs.length === 0 ? joined.get(key) : undefined;
    joined.set(
      same || part.nonResourceURLs.length === 0 ? key : `${key}${joined.size}`,
      same ? { ...same, verbs: [...same.verbs, ...part.verbs] } : part,
    );
  }
  return [...joined.values()];
}

/** `{APIGroups:["x"], Resources:["*"], Verbs:["*"]}`: a rule in escalation errors. */
export function formatRule({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  const parts = [
    ['APIGroups', apiGroups],
    ['Resources', resources],
    ['NonResourceURLs', nonResourceURLs],
    ['ResourceNames', resourceNames],
    ['Verbs', verbs],
  ] as const;
  return `{${parts
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name}:${goQuotedList(values)}`)
    .join(', ')}}`;
}
