import { type ApiObject, type LabelRequirements, type LabelSelector, labelSelectorRequirements, matchesLabels } from '../../meta/index.ts';
import type { admissionregistrationv1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import type { AdmissionRequest, ResourceKind } from '../admission.ts';

/** The writes that a policy (`matchConstraints`) or a binding (`matchResources`) applies to. */
export interface MatchResources {
  readonly rules: readonly ResourceRule[];
  readonly excluded: readonly ResourceRule[];
  /** `matchPolicy: Equivalent`: a rule for one version of a resource matches all of its versions. */
  readonly equivalent: boolean;
  readonly namespaceSelector: LabelRequirements;
  readonly objectSelector: LabelRequirements;
}

interface ResourceRule {
  readonly operations: readonly string[];
  readonly groups: readonly string[];
  readonly versions: readonly string[];
  readonly resources: readonly string[];
  readonly scope: string;
  readonly names: readonly string[];
}

/** The data of a write that a match depends on. */
export interface MatchAttributes {
  readonly request: AdmissionRequest;
  /** Undefined when absent: the new object of a deletion, the old one of a creation. */
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
  /** Labels of the object's namespace. @throws StatusError 404 */
  readonly namespaceLabels: () => Promise<Readonly<Record<string, string>>>;
  /** The resource in its other groups and versions. */
  readonly equivalents: () => readonly ResourceKind[];
}

export function readMatchResources(match: Decoded<admissionregistrationv1.MatchResources>): MatchResources {
  const { resourceRules = [], excludeResourceRules = [], matchPolicy, namespaceSelector = {}, objectSelector = {} } = match;
  return {
    rules: resourceRules.map(readRule),
    excluded: excludeResourceRules.map(readRule),
    equivalent: matchPolicy === 'Equivalent',
    namespaceSelector: labelSelectorRequirements(namespaceSelector as LabelSelector),
    objectSelector: labelSelectorRequirements(objectSelector as LabelSelector),
  };
}

function readRule(rule: Decoded<admissionregistrationv1.NamedRuleWithOperations>): ResourceRule {
  const { operations, apiGroups, apiVersions, resources, scope, resourceNames } = rule;
  return {
    operations: operations ?? [],
    groups: apiGroups ?? [],
    versions: apiVersions ?? [],
    resources: resources ?? [],
    scope: scope ?? '',
    names: resourceNames ?? [],
  };
}

/**
 * The resource as which a write matches, or undefined; without rules every write matches. Rules are cheaper than selectors, so they
 * come first. Cf. upstream plugin/policy/matching.
 */
export async function matchResource(match: MatchResources, write: MatchAttributes): Promise<ResourceKind | undefined> {
  if (matchRules(match.excluded, match.equivalent, write)) return undefined;
  const matched = match.rules.length === 0 ? write.request : matchRules(match.rules, match.equivalent, write);
  if (!matched || !selectsObject(match.objectSelector, write)) return undefined;
  return (await selectsNamespace(match.namespaceSelector, write)) ? matched : undefined;
}

function selectsObject(selector: LabelRequirements, { object, oldObject }: MatchAttributes): boolean {
  if (selector.length === 0) return true;
  return [object, oldObject].some((one) => one?.metadata !== undefined && matchesLabels(selector, one.metadata.labels ?? {}));
}

/** Cluster-scoped objects always match. */
async function selectsNamespace(selector: LabelRequirements, { request, namespaceLabels }: MatchAttributes): Promise<boolean> {
  if (selector.length === 0 || (request.namespace === '' && request.resource !== 'namespaces')) return true;
  return matchesLabels(selector, await namespaceLabels());
}

function matchRules(rules: readonly ResourceRule[], equivalent: boolean, write: MatchAttributes): ResourceKind | undefined {
  const { request } = write;
  if (rules.some((rule) => matches(rule, request, write))) return request;
  if (!equivalent || !rules.some((rule) => mayMatchEquivalent(rule, request))) return undefined;
  const others = write.equivalents();
  for (const rule of rules) {
    const found = others.find((other) => matches(rule, other, write));
    if (found) return found;
  }
  return undefined;
}

/** Equivalent resources of other groups and versions have the same name. */
function mayMatchEquivalent(rule: ResourceRule, { operation, resource, subresource }: AdmissionRequest): boolean {
  return isListed(rule.operations, operation) && rule.resources.some((text) => namesResource(text, resource, subresource));
}

function matches(rule: ResourceRule, resource: ResourceKind, { request }: MatchAttributes): boolean {
  return (
    isListed(rule.operations, request.operation) &&
    isListed(rule.groups, resource.group) &&
    isListed(rule.versions, resource.version) &&
    rule.resources.some((text) => namesResource(text, resource.resource, request.subresource)) &&
    isInScope(rule.scope, resource, request.namespace) &&
    (rule.names.length === 0 || rule.names.includes(request.name))
  );
}

function isListed(list: readonly string[], one: string): boolean {
  return list.includes('*') || list.includes(one);
}

/** `pods`, `pods/status`, `*` (everything but subresources), `pods/*`. */
function namesResource(text: string, resource: string, subresource: string): boolean {
  const cut = text.indexOf('/');
  const [main, sub] = cut < 0 ? [text, ''] : [text.slice(0, cut), text.slice(cut + 1)];
  return (main === '*' || main === resource) && (sub === '*' || sub === subresource);
}

/** A namespace is cluster-scoped, although its requests carry its own name as the namespace. */
function isInScope(scope: string, { group, version, resource }: ResourceKind, namespace: string): boolean {
  if (scope === '' || scope === '*') return true;
  const inNone = namespace === '' || (group === '' && version === 'v1' && resource === 'namespaces');
  return inNone === (scope === 'Cluster');
}
