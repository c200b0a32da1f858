import { dynType, errorType, isDyn, isDynOrError, listType, mapType, sameType, type Type } from './types.ts';

/** Substitutions of type parameters, by name. Changes can be undone, so that trying an overload costs only its own bindings. */
export class Bindings {
  readonly #types = new Map<string, Type>();
  readonly #changes: { readonly name: string; readonly before: Type | undefined }[] = [];

  get(name: string): Type | undefined {
    return this.#types.get(name);
  }

  set(name: string, type: Type): void {
    this.#changes.push({ name, before: this.#types.get(name) });
    this.#types.set(name, type);
  }

  /** Runs `change`, and undoes its bindings when it fails. */
  attempt(change: () => boolean): boolean {
    const first = this.#changes.length;
    if (change()) return true;
    for (const { name, before } of this.#changes.splice(first).reverse()) {
      if (before) this.#types.set(name, before);
      else this.#types.delete(name);
    }
    return false;
  }
}

/** Whether every type of `from` is assignable to its counterpart in `to`; binds parameters as needed. */
export function assignable(bindings: Bindings, from: readonly Type[], to: readonly Type[]): boolean {
  return bindings.attempt(() => assignAll(bindings, from, to));
}

function assignAll(bindings: Bindings, from: readonly Type[], to: readonly Type[]): boolean {
  return from.length === to.length && from.every((one, i) => assign(bindings, one, to[i] ?? errorType));
}

function assign(bindings: Bindings, a: Type, b: Type): boolean {
  if (b.kind === 'param') {
    const bound = bindings.get(b.name) !== undefined;
    if (substitutes(bindings, a, b)) return true;
    if (bound) return false;
  }
  if (a.kind === 'param') return substitutes(bindings, b, a);
  if (isDynOrError(a) || isDynOrError(b)) return true;
  if (a.kind === 'null') return acceptsNull(b);
  if (b.kind === 'null') return acceptsNull(a);
  if (a.kind === 'type') return b.kind === 'type';
  return a.kind === b.kind && a.name === b.name && assignAll(bindings, a.params, b.params);
}

/** Whether parameter `b` can be substituted by `a`; binds it. */
function substitutes(bindings: Bindings, a: Type, b: Type): boolean {
  if (sameType(a, b)) return true;
  const bound = bindings.get(b.name);
  if (!bound) {
    if (!isAbsentFrom(bindings, b, a)) return false;
    bindings.set(b.name, a);
    return true;
  }
  if (sameType(a, bound)) return true;
  if (!assign(bindings, a, bound)) return false;
  const general = mostGeneral(a, bound);
  if (isAbsentFrom(bindings, b, general)) bindings.set(b.name, general);
  return true;
}

function acceptsNull(type: Type): boolean {
  return ['null', 'opaque', 'struct', 'timestamp', 'duration'].includes(type.kind);
}

export function mostGeneral(a: Type, b: Type): Type {
  return lessSpecific(a, b) ? a : b;
}

function lessSpecific(a: Type, b: Type): boolean {
  if (isDyn(a) || a.kind === 'param') return true;
  if (isDyn(b) || b.kind === 'param' || a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  return (
    a.name === b.name && a.params.length === b.params.length && a.params.every((one, i) => lessSpecific(one, b.params[i] ?? errorType))
  );
}

/** Occurs check: a parameter bound to a type that contains it would be infinite. */
function isAbsentFrom(bindings: Bindings, param: Type, within: Type): boolean {
  if (sameType(param, within)) return false;
  if (within.kind !== 'param') return within.params.every((one) => isAbsentFrom(bindings, param, one));
  const bound = bindings.get(within.name);
  return !bound || isAbsentFrom(bindings, param, bound);
}

/** Replaces bound parameters; unbound ones stay. */
export function substitute(bindings: Bindings, type: Type): Type {
  const bound = type.kind === 'param' ? bindings.get(type.name) : undefined;
  if (bound) return substitute(bindings, bound);
  return type.kind === 'param' ? type : withParams(type, (one) => substitute(bindings, one));
}

/**
 * Replaces bound parameters, and unbound ones by dyn. Requires final bindings: substitutions are cached, since each of many empty
 * lists may refer to the one before.
 */
export function substituteFinally(bindings: Bindings): (type: Type) => Type {
  const known = new Map<string, Type>();
  const replaced = (type: Type): Type => {
    if (type.kind !== 'param') return withParams(type, replaced);
    const before = known.get(type.name);
    if (before) return before;
    const bound = bindings.get(type.name);
    const found = bound ? replaced(bound) : dynType;
    known.set(type.name, found);
    return found;
  };
  return replaced;
}

function withParams(type: Type, change: (param: Type) => Type): Type {
  if (type.params.length === 0) return type;
  const params = type.params.map(change);
  if (params.every((param, at) => param === type.params[at])) return type;
  if (type.kind === 'list') return listType(params[0] ?? dynType);
  if (type.kind === 'map') return mapType(params[0] ?? dynType, params[1] ?? dynType);
  return { ...type, params };
}
