import {
  type ApiObject,
  type JsonObject,
  type LabelRequirements,
  type LabelSelector,
  labelSelectorRequirements,
  matchesLabels,
  objectsAt,
  recordAt,
  textAt,
  textsAt,
} from '../../meta/index.ts';
import type { AdmissionRequest, ResourceKind } from '../admission.ts';

/** Which writes something is about: `matchConstraints` of a policy, `matchResources` of a binding. */
export interface MatchResources {
  readonly rules: readonly ResourceRule[];
  readonly excluded: readonly ResourceRule[];
  /** `matchPolicy: Equivalent`: a rule about one version of a resource is about all of them. */
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

/** What a match is decided by, of a write. */
export interface MatchedWrite {
  readonly request: AdmissionRequest;
  /** Undefined for what there is none of: the new object of a deletion, the old one of a creation. */
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
  /** Labels of the write's namespace. @throws StatusError 404 */
  readonly namespaceLabels: () => Promise<Readonly<Record<string, string>>>;
  /** The resource under its other versions and names. */
  readonly equivalents: () => readonly ResourceKind[];
}

export function readMatchResources(match: JsonObject): MatchResources {
  return {
    rules: objectsAt(match, 'resourceRules').map(readRule),
    excluded: objectsAt(match, 'excludeResourceRules').map(readRule),
    equivalent: textAt(match, 'matchPolicy') === 'Equivalent',
    namespaceSelector: labelSelectorRequirements(recordAt(match, 'namespaceSelector') as LabelSelector),
    objectSelector: labelSelectorRequirements(recordAt(match, 'objectSelector') as LabelSelector),
  };
}

function readRule(rule: JsonObject): ResourceRule {
  return {
    operations: textsAt(rule, 'operations'),
    groups: textsAt(rule, 'apiGroups'),
    versions: textsAt(rule, 'apiVersions'),
    resources: textsAt(rule, 'resources'),
    scope: textAt(rule, 'scope'),
    names: textsAt(rule, 'resourceNames'),
  };
}

/**
 * As which resource a write is meant, if it is; without rules every write is. Rules are cheaper than selectors, so they come first.
 * Cf. upstream plugin/policy/matching.
 */
export async function matchedAs(match: MatchResources, write: MatchedWrite): Promise<ResourceKind | undefined> {
  if (matchedByRules(match.excluded, match.equivalent, write)) return undefined;
  const matched = match.rules.length === 0 ? write.request : matchedByRules(match.rules, match.equivalent, write);
  if (!matched || !selectsObject(match.objectSelector, write)) return undefined;
  return (await selectsNamespace(match.namespaceSelector, write)) ? matched : undefined;
}

function selectsObject(selector: LabelRequirements, { object, oldObject }: MatchedWrite): boolean {
  if (selector.length === 0) return true;
  return [object, oldObject].some((one) => one?.metadata !== undefined && matchesLabels(selector, one.metadata.labels ?? {}));
}

/** What is in no namespace is never left out. */
async function selectsNamespace(selector: LabelRequirements, { request, namespaceLabels }: MatchedWrite): Promise<boolean> {
  if (selector.length === 0 || (request.namespace === '' && request.resource !== 'namespaces')) return true;
  return matchesLabels(selector, await namespaceLabels());
}

function matchedByRules(rules: readonly ResourceRule[], equivalent: boolean, write: MatchedWrite): ResourceKind | undefined {
  const { request } = write;
  if (rules.some((rule) => matches(rule, request, write))) return request;
  if (!equivalent || !rules.some((rule) => mayMean(rule, request))) return undefined;
  const others = write.equivalents();
  for (const rule of rules) {
    const found = others.find((other) => matches(rule, other, write));
    if (found) return found;
  }
  return undefined;
}

/** What stands for a resource in another group or version is called the same. */
function mayMean(rule: ResourceRule, { operation, resource, subresource }: AdmissionRequest): boolean {
  return isListed(rule.operations, operation) && rule.resources.some((text) => namesResource(text, resource, subresource));
}

function matches(rule: ResourceRule, resource: ResourceKind, { request }: MatchedWrite): boolean {
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

/** A namespace is in none, although it counts as in itself. */
function isInScope(scope: string, { group, version, resource }: ResourceKind, namespace: string): boolean {
  if (scope === '' || scope === '*') return true;
  const inNone = namespace === '' || (group === '' && version === 'v1' && resource === 'namespaces');
  return inNone === (scope === 'Cluster');
}
