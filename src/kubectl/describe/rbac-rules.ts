import type { JsonObject } from '../../meta/index.ts';
import { textsIn } from './report.ts';

export interface RuleRow {
  readonly resource: string;
  readonly url: string;
  readonly name: string;
  readonly verbs: string;
}

interface SimpleRule {
  readonly group: string;
  readonly resource: string;
  readonly name: string;
  readonly verbs: string[];
  /** The non-resource rule it comes from, unchanged. */
  readonly urls: readonly string[];
}

/** Splits rules into one resource each, merges those with the same resource, and sorts them as kubectl does. Cf. kubectl util/rbac. */
export function toRuleRows(rules: readonly JsonObject[]): readonly RuleRow[] {
  const simple: SimpleRule[] = [];
  const byKey = new Map<string, SimpleRule>();
  for (const one of rules.flatMap(splitRule)) {
    const key = one.urls.length > 0 ? undefined : `${one.group}|${one.resource}|${one.name}`;
    const before = key === undefined ? undefined : byKey.get(key);
    if (before) {
      before.verbs.push(...one.verbs.filter((verb) => !before.verbs.includes(verb)));
      continue;
    }
    simple.push(one);
    if (key !== undefined) byKey.set(key, one);
  }
  const sorted = simple
    .map((rule) => ({ rule, text: sortKeyOf(rule) }))
    .sort((left, right) => (left.text < right.text ? -1 : left.text > right.text ? 1 : 0));
  return sorted.map(({ rule }) => toRow(rule));
}

function splitRule(rule: JsonObject): SimpleRule[] {
  const [verbs, names, urls] = [textsIn(rule, 'verbs'), textsIn(rule, 'resourceNames'), textsIn(rule, 'nonResourceURLs')];
  const found: SimpleRule[] = [];
  for (const group of textsIn(rule, 'apiGroups')) {
    for (const resource of textsIn(rule, 'resources')) {
      for (const name of names.length > 0 ? names : ['']) found.push({ group, resource, name, verbs: [...verbs], urls: [] });
    }
  }
  for (const url of urls) for (const verb of verbs) found.push({ group: '', resource: '', name: '', verbs: [verb], urls: [url] });
  return found;
}

/** Go's text of the rule, the sort key of kubectl. */
function sortKeyOf({ group, resource, name, verbs, urls }: SimpleRule): string {
  const of = urls.length > 0 ? '' : group;
  return `Verbs:[${verbs.join(' ')}],APIGroups:[${of}],Resources:[${resource}],ResourceNames:[${name}],NonResourceURLs:[${urls.join(' ')}],`;
}

function toRow({ group, resource, name, verbs, urls }: SimpleRule): RuleRow {
  const [base = '', sub] = resource.split(/\/(.*)/s, 2);
  const qualified = `${base}${group === '' ? '' : `.${group}`}${sub === undefined ? '' : `/${sub}`}`;
  return {
    resource: qualified,
    url: `[${urls.join(' ')}]`,
    name: name === '' ? '[]' : `[${name}]`,
    verbs: `[${[...new Set(verbs)].join(' ')}]`,
  };
}
