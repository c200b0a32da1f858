import type { Attributes } from '../authz/index.ts';
import type { ApiObject } from '../meta/index.ts';

/** The flow schema and priority level that match a request (part 8). */
export interface Flow {
  readonly schema: string;
  readonly schemaUid: string;
  readonly level: string;
  readonly levelUid: string;
  /** The user or namespace whose requests are one flow; empty: all requests of the schema are. */
  readonly distinguisher: string;
}

interface Subject {
  readonly kind: string;
  readonly user?: { readonly name: string };
  readonly group?: { readonly name: string };
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly clusterScope?: boolean;
  readonly namespaces?: readonly string[];
}

interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

interface FlowRule {
  readonly subjects: readonly Subject[];
  readonly resourceRules?: readonly ResourceRule[];
  readonly nonResourceRules?: readonly NonResourceRule[];
}

interface FlowSchema {
  readonly metadata: { readonly name: string; readonly uid: string };
  readonly spec: {
    readonly matchingPrecedence: number;
    readonly priorityLevelConfiguration: { readonly name: string };
    readonly distinguisherMethod?: { readonly type: string };
    readonly rules?: readonly FlowRule[];
  };
}

/** Index of the stored flow schemas and priority levels that matches requests. Cf. upstream flowcontrol rule matching. */
export class FlowIndex {
  readonly #schemas = new Map<string, FlowSchema>();
  readonly #levels = new Map<string, string>();
  #inOrder: readonly FlowSchema[] | undefined;

  changeSchema(key: string, object: ApiObject | undefined): void {
    this.#inOrder = undefined;
    if (object) this.#schemas.set(key, object as unknown as FlowSchema);
    else this.#schemas.delete(key);
  }

  /** `name` is the priority level's. */
  changeLevel(name: string, object: ApiObject | undefined): void {
    if (object) this.#levels.set(name, object.metadata.uid ?? '');
    else this.#levels.delete(name);
  }

  /** Undefined when no matching flow schema has an existing priority level. */
  flowOf(attributes: Attributes): Flow | undefined {
    this.#inOrder ??= [...this.#schemas.values()].sort(
      (a, b) => a.spec.matchingPrecedence - b.spec.matchingPrecedence || (a.metadata.name < b.metadata.name ? -1 : 1),
    );
    for (const { metadata, spec } of this.#inOrder) {
      const level = spec.priorityLevelConfiguration.name;
      const levelUid = this.#levels.get(level);
      if (levelUid === undefined || !spec.rules?.some((rule) => fits(rule, attributes))) continue;
      const distinguisher = distinguisherOf(spec.distinguisherMethod?.type, attributes);
      return { schema: metadata.name, schemaUid: metadata.uid, level, levelUid, distinguisher };
    }
    return undefined;
  }
}

function distinguisherOf(method: string | undefined, { user, namespace }: Attributes): string {
  if (method === 'ByUser') return user.username;
  return method === 'ByNamespace' ? namespace : '';
}

function fits({ subjects, resourceRules, nonResourceRules }: FlowRule, attributes: Attributes): boolean {
  if (!subjects.some((subject) => isOf(subject, attributes.user))) return false;
  if (attributes.isResourceRequest) return resourceRules?.some((rule) => fitsResource(rule, attributes)) ?? false;
  return (
    nonResourceRules?.some(
      ({ verbs, nonResourceURLs }) => has(verbs, attributes.verb) && nonResourceURLs.some((url) => fitsPath(url, attributes.path)),
    ) ?? false
  );
}

function isOf({ kind, user, group, serviceAccount }: Subject, { username, groups }: Attributes['user']): boolean {
  if (kind === 'User') return user?.name === '*' || user?.name === username;
  if (kind === 'Group') return group !== undefined && (group.name === '*' || groups.includes(group.name));
  if (!serviceAccount) return false;
  const { namespace, name } = serviceAccount;
  const prefix = `system:serviceaccount:${namespace}:`;
  return name === '*' ? username.startsWith(prefix) : username === prefix + name;
}

function fitsResource(rule: ResourceRule, { verb, group, resource, subresource, namespace }: Attributes): boolean {
  const named = subresource === '' ? resource : `${resource}/${subresource}`;
  const placed = namespace === '' ? rule.clusterScope === true : has(rule.namespaces ?? [], namespace);
  return placed && has(rule.verbs, verb) && has(rule.apiGroups, group) && has(rule.resources, named);
}

function has(allowed: readonly string[], value: string): boolean {
  return allowed.includes('*') || allowed.includes(value);
}

function fitsPath(url: string, path: string): boolean {
  return url === '*' || url === path || (url.endsWith('/*') && path.startsWith(url.slice(0, -1)));
}
