import { dynType, errorType, isDyn, isDynOrError, listType, mapType, sameType, type Type } from './types.ts';

/** What type parameters stand for so far; keyed by their names. */
export type Bindings = ReadonlyMap<string, Type>;

/** The bindings under which every type of `from` may stand for its fellow of `to`; undefined when there are none. */
export function assignable(bindings: Bindings, from: readonly Type[], to: readonly Type[]): Bindings | undefined {
  const copy = new Map(bindings);
  return assignAll(copy, from, to) ? copy : undefined;
}

function assignAll(bindings: Map<string, Type>, from: readonly Type[], to: readonly Type[]): boolean {
  return from.length === to.length && from.every((one, i) => assign(bindings, one, to[i] ?? errorType));
}

function assign(bindings: Map<string, Type>, a: Type, b: Type): boolean {
  if (b.kind === 'param') {
    const bound = bindings.has(b.name);
    if (substitutes(bindings, a, b)) return true;
    if (bound) return false;
  }
  if (a.kind === 'param') return substitutes(bindings, b, a);
  if (isDynOrError(a) || isDynOrError(b)) return true;
  if (a.kind === 'null') return takesNull(b);
  if (b.kind === 'null') return takesNull(a);
  if (a.kind === 'type') return b.kind === 'type';
  return a.kind === b.kind && a.name === b.name && assignAll(bindings, a.params, b.params);
}

/** Whether the parameter `b` may stand for `a`, bound on the way. */
function substitutes(bindings: Map<string, Type>, a: Type, b: Type): boolean {
  if (sameType(a, b)) return true;
  const bound = bindings.get(b.name);
  if (!bound) {
    if (!absentFrom(bindings, b, a)) return false;
    bindings.set(b.name, a);
    return true;
  }
  if (sameType(a, bound)) return true;
  if (!assign(bindings, a, bound)) return false;
  const general = mostGeneral(a, bound);
  if (absentFrom(bindings, b, general)) bindings.set(b.name, general);
  return true;
}

function takesNull(type: Type): boolean {
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

/** A parameter that stood for something with itself inside would never end. */
function absentFrom(bindings: Bindings, param: Type, within: Type): boolean {
  if (sameType(param, within)) return false;
  if (within.kind !== 'param') return within.params.every((one) => absentFrom(bindings, param, one));
  const bound = bindings.get(within.name);
  return !bound || absentFrom(bindings, param, bound);
}

/** With every parameter replaced by what it stands for; unbound ones stay, or become dyn. */
export function substitute(bindings: Bindings, type: Type, unbound: 'keep' | 'dyn'): Type {
  const bound = type.kind === 'param' ? bindings.get(type.name) : undefined;
  if (bound) return substitute(bindings, bound, unbound);
  if (type.kind === 'param') return unbound === 'dyn' ? dynType : type;
  if (type.params.length === 0) return type;
  const params = type.params.map((one) => substitute(bindings, one, unbound));
  if (type.kind === 'list') return listType(params[0] ?? dynType);
  if (type.kind === 'map') return mapType(params[0] ?? dynType, params[1] ?? dynType);
  return { ...type, params };
}
