import type { PolicyRule, RoleBinding, RoleSource, RoleSubject } from './policy.ts';

/** Roles by name and bindings by subject, so that a request checks only the bindings of its user. */
export class RoleIndex implements RoleSource {
  /** Namespace (empty: cluster roles) → name → rules. */
  readonly #roles: Map<string, Map<string, RulesByVerb>> = new Map();
  /** Namespace (empty: cluster role bindings) → its bindings. */
  readonly #bindings: Map<string, NamespaceBindings> = new Map();

  /** Undefined when the role was deleted. */
  updateRole(namespace: string, name: string, rules: readonly PolicyRule[] | undefined): void {
    const roles = valueAt(this.#roles, namespace, () => new Map<string, RulesByVerb>());
    if (rules) roles.set(name, new RulesByVerb(rules));
    else roles.delete(name);
  }

  /** Undefined when the binding was deleted. */
  updateBinding(namespace: string, name: string, binding: RoleBinding | undefined): void {
    valueAt(this.#bindings, namespace, () => new NamespaceBindings()).update(name, binding);
  }

  rulesOf(namespace: string, name: string): readonly PolicyRule[] | undefined {
    return this.#roles.get(namespace)?.get(name)?.all;
  }

  rulesForVerb(verb: string, namespace: string, name: string): readonly PolicyRule[] {
    return this.#roles.get(namespace)?.get(name)?.forVerb(verb) ?? noRules;
  }

  rolesIn(namespace: string): Iterable<readonly [name: string, rules: readonly PolicyRule[]]> {
    return Array.from(this.#roles.get(namespace) ?? [], ([name, { all }]) => [name, all] as const);
  }

  bindingsFor(user: { readonly username: string; readonly groups: readonly string[] }, namespace: string): readonly RoleBinding[] {
    return this.#bindings.get(namespace)?.of(user.username, user.groups) ?? none;
  }
}

const none: readonly RoleBinding[] = [];
const noRules: readonly PolicyRule[] = [];

/** Indexes rules by verb: most rules are for other verbs than the requested one. */
class RulesByVerb {
  readonly all: readonly PolicyRule[];
  /** Positions in `all`; rules for all verbs are only under `*`. */
  readonly #byVerb: Map<string, number[]> = new Map();
  readonly #cachedByVerb: Map<string, readonly PolicyRule[]> = new Map();

  constructor(rules: readonly PolicyRule[]) {
    this.all = rules;
    for (const [position, { verbs }] of rules.entries()) {
      for (const verb of verbs.includes('*') ? ['*'] : new Set(verbs)) valueAt(this.#byVerb, verb, () => []).push(position);
    }
  }

  forVerb(verb: string): readonly PolicyRule[] {
    // Unknown verbs are not cached: clients can send any.
    const named = this.#byVerb.has(verb) ? verb : '*';
    return valueAt(this.#cachedByVerb, named, () => this.#rulesFor(named));
  }

  #rulesFor(verb: string): readonly PolicyRule[] {
    const positions = new Set(['*', verb].flatMap((name) => this.#byVerb.get(name) ?? []));
    return [...positions].sort((a, b) => a - b).flatMap((position) => this.all[position] ?? []);
  }
}

/** The bindings of one namespace. */
class NamespaceBindings {
  readonly #byName: Map<string, RoleBinding> = new Map();
  readonly #byUser: Map<string, readonly RoleBinding[]> = new Map();
  readonly #byGroup: Map<string, readonly RoleBinding[]> = new Map();

  update(name: string, binding: RoleBinding | undefined): void {
    const old = this.#byName.get(name);
    if (old) for (const subject of old.subjects) this.#removeSubject(subject, old);
    if (!binding) {
      this.#byName.delete(name);
      return;
    }
    this.#byName.set(name, binding);
    for (const subject of binding.subjects) this.#addSubject(subject, binding);
  }

  of(username: string, groups: readonly string[]): readonly RoleBinding[] {
    let found = this.#byUser.get(username) ?? none;
    let all: Set<RoleBinding> | undefined;
    for (const group of groups) {
      const more = this.#byGroup.get(group);
      if (!more) continue;
      if (found.length === 0) found = more;
      else {
        all ??= new Set(found);
        for (const binding of more) all.add(binding);
      }
    }
    return all ? [...all] : found;
  }

  #addSubject(subject: RoleSubject, binding: RoleBinding): void {
    const [index, key] = this.#indexEntry(subject, binding);
    const there = index.get(key) ?? none;
    if (!there.includes(binding)) index.set(key, [...there, binding]);
  }

  #removeSubject(subject: RoleSubject, binding: RoleBinding): void {
    const [index, key] = this.#indexEntry(subject, binding);
    const left = (index.get(key) ?? none).filter((other) => other !== binding);
    if (left.length > 0) index.set(key, left);
    else index.delete(key);
  }

  #indexEntry(subject: RoleSubject, binding: RoleBinding): readonly [Map<string, readonly RoleBinding[]>, string] {
    return subject.kind === 'Group' ? [this.#byGroup, subject.name] : [this.#byUser, userOf(subject, binding)];
  }
}

/** The user name of a subject; empty for groups and unknown kinds. */
function userOf({ kind, name, namespace }: RoleSubject, binding: RoleBinding): string {
  if (kind === 'User') return name;
  const home = namespace === '' ? binding.namespace : namespace;
  return kind === 'ServiceAccount' && home !== '' ? `system:serviceaccount:${home}:${name}` : '';
}

/** The first subject that matches the user or one of its groups. */
export function subjectFor(
  user: { readonly username: string; readonly groups: readonly string[] },
  binding: RoleBinding,
): RoleSubject | undefined {
  return binding.subjects.find((subject) =>
    subject.kind === 'Group' ? user.groups.includes(subject.name) : userOf(subject, binding) === user.username,
  );
}

function valueAt<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
