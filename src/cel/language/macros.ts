import { accumulatorName, type Call, type Comprehension, childrenOf, type Expr } from './ast.ts';
import type { Issue } from './issues.ts';

/** A parsed call, which may be a macro. */
interface MacroCall {
  readonly at: number;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

/** Undefined when the call only resembles the macro. */
type Macro = (macroCall: MacroCall) => Expr | Issue | undefined;

/** Expands a macro; undefined for other calls; an issue for invalid arguments. */
export function expandMacro(name: string, macroCall: MacroCall, has: (library: MacroLibrary) => boolean): Expr | Issue | undefined {
  const key = `${macroCall.target ? '.' : ''}${name}/${macroCall.args.length}`;
  for (const library of macroLibraries) {
    const macro = macros[library][key];
    if (macro && has(library)) return macro(macroCall);
  }
  return undefined;
}

export function isIssue(value: Expr | Issue): value is Issue {
  return 'message' in value;
}

export type MacroLibrary = 'standard' | 'optional' | 'two-variables' | 'lists' | 'bindings';
const macroLibraries = ['standard', 'optional', 'two-variables', 'lists', 'bindings'] as const;

const macros: Readonly<Record<MacroLibrary, Readonly<Record<string, Macro>>>> = {
  standard: {
    'has/1': has,
    '.all/2': (macroCall) => quantifier('all', macroCall),
    '.exists/2': (macroCall) => quantifier('exists', macroCall),
    '.exists_one/2': (macroCall) => quantifier('exists_one', macroCall),
    '.map/2': (macroCall) => expandMap(macroCall, undefined, macroCall.args[1]),
    '.map/3': (macroCall) => expandMap(macroCall, macroCall.args[1], macroCall.args[2]),
    '.filter/2': (macroCall) => expandMap(macroCall, macroCall.args[1], macroCall.args[0]),
  },
  optional: {
    '.optMap/2': (macroCall) => optionalMap('optMap', macroCall),
    '.optFlatMap/2': (macroCall) => optionalMap('optFlatMap', macroCall),
  },
  'two-variables': {
    '.all/3': (macroCall) => quantifier2('all', macroCall),
    '.exists/3': (macroCall) => quantifier2('exists', macroCall),
    '.exists_one/3': (macroCall) => quantifier2('exists_one', macroCall),
    '.existsOne/3': (macroCall) => quantifier2('exists_one', macroCall),
    '.transformList/3': (macroCall) => expandTransform('list', macroCall, undefined, macroCall.args[2]),
    '.transformList/4': (macroCall) => expandTransform('list', macroCall, macroCall.args[2], macroCall.args[3]),
    '.transformMap/3': (macroCall) => expandTransform('map', macroCall, undefined, macroCall.args[2]),
    '.transformMap/4': (macroCall) => expandTransform('map', macroCall, macroCall.args[2], macroCall.args[3]),
    '.transformMapEntry/3': (macroCall) => expandTransform('entry', macroCall, undefined, macroCall.args[2]),
    '.transformMapEntry/4': (macroCall) => expandTransform('entry', macroCall, macroCall.args[2], macroCall.args[3]),
  },
  lists: { '.sortBy/2': sortBy },
  bindings: { '.bind/3': expandBind },
};

type Quantifier = 'all' | 'exists' | 'exists_one';

function has({ at, args }: MacroCall): Expr | Issue {
  const [select] = args as readonly [Expr];
  if (select.kind !== 'select') return { at: select.at, message: 'invalid argument to has() macro' };
  return { ...select, at, test: true };
}

function quantifier(which: Quantifier, { at, target, args }: MacroCall): Expr | Issue {
  const [variable, predicate] = args as readonly [Expr, Expr];
  const name = simpleName(variable, 'argument must be a simple name');
  if (typeof name !== 'string') return name;
  return fold(at, target as Expr, [name], expandQuantifier(which, at, predicate));
}

function quantifier2(which: Quantifier, { at, target, args }: MacroCall): Expr | Issue {
  const names = twoNames(args);
  if (isProblem(names)) return names;
  return fold(at, target as Expr, names, expandQuantifier(which, at, args[2] as Expr));
}

type Loop = Pick<Comprehension, 'init' | 'condition' | 'step' | 'result'>;

function expandQuantifier(which: Quantifier, at: number, predicate: Expr): Loop {
  const make = maker(at);
  const result = make.accumulator();
  switch (which) {
    case 'all':
      return {
        init: make.literal(true),
        condition: make.call('@not_strictly_false', make.accumulator()),
        step: make.call('_&&_', make.accumulator(), predicate),
        result,
      };
    case 'exists':
      return {
        init: make.literal(false),
        condition: make.call('@not_strictly_false', make.call('!_', make.accumulator())),
        step: make.call('_||_', make.accumulator(), predicate),
        result,
      };
    case 'exists_one':
      return {
        init: make.literal(0n),
        condition: make.literal(true),
        step: make.call('_?_:_', predicate, make.call('_+_', make.accumulator(), make.literal(1n)), make.accumulator()),
        result: make.call('_==_', result, make.literal(1n)),
      };
  }
}

function expandMap({ at, target, args }: MacroCall, filter: Expr | undefined, element: Expr | undefined): Expr | Issue {
  const name = simpleName(args[0] as Expr, 'argument is not an identifier');
  if (typeof name !== 'string') return name;
  const make = maker(at);
  const step = make.call('_+_', make.accumulator(), make.list(element as Expr));
  return fold(at, target as Expr, [name], expandCollect(at, make.list(), filter, step));
}

function expandTransform(
  into: 'list' | 'map' | 'entry',
  { at, target, args }: MacroCall,
  filter: Expr | undefined,
  element?: Expr,
): Expr | Issue {
  const names = twoNames(args);
  if (isProblem(names)) return names;
  const make = maker(at);
  const value = element as Expr;
  const step =
    into === 'list'
      ? make.call('_+_', make.accumulator(), make.list(value))
      : make.call('cel.@mapInsert', make.accumulator(), ...(into === 'map' ? [make.ident(names[0]), value] : [value]));
  return fold(at, target as Expr, names, expandCollect(at, into === 'list' ? make.list() : make.map(), filter, step));
}

function expandCollect(at: number, init: Expr, filter: Expr | undefined, step: Expr): Loop {
  const make = maker(at);
  const filtered = filter ? make.call('_?_:_', filter, step, make.accumulator()) : step;
  return { init, condition: make.literal(true), step: filtered, result: make.accumulator() };
}

function optionalMap(which: 'optMap' | 'optFlatMap', { at, target, args }: MacroCall): Expr | Issue {
  const [variable, value] = args as readonly [Expr, Expr];
  if (variable.kind !== 'ident') return { at: variable.at, message: `${which}() variable name must be a simple identifier` };
  const make = maker(at);
  const copy = copyExpr(target as Expr);
  if (copy === undefined) return { at, message: `${which}() makes the expression too large: it repeats more than ${maxCopied} parts` };
  const bound = bind(at, variable.name, make.member('value', copy), value);
  const present = which === 'optMap' ? make.call('optional.of', bound) : bound;
  return make.call('_?_:_', make.member('hasValue', target as Expr), present, make.call('optional.none'));
}

function sortBy({ at, target, args }: MacroCall): Expr | Issue {
  const input = '@__sortBy_input__';
  if (target?.kind === 'literal' || target?.kind === 'map' || target?.kind === 'struct') {
    const message = 'sortBy can only be applied to a list, identifier, comprehension, call or select expression';
    return { at: target.at, message };
  }
  const make = maker(at);
  const keys = expandMap({ at, target: make.ident(input), args }, undefined, args[1]);
  return isIssue(keys) ? keys : bind(at, input, target as Expr, make.member('@sortByAssociatedKeys', make.ident(input), keys));
}

function expandBind({ at, target, args }: MacroCall): Expr | Issue | undefined {
  if (target?.kind !== 'ident' || target.name !== 'cel') return undefined;
  const [variable, value, result] = args as readonly [Expr, Expr, Expr];
  if (variable.kind !== 'ident') return { at: variable.at, message: 'cel.bind() variable names must be simple identifiers' };
  return bind(at, variable.name, value, result);
}

/** Binds a name to a value: a comprehension over an empty range. */
function bind(at: number, name: string, value: Expr, result: Expr): Expr {
  const make = maker(at);
  const loop = { init: value, condition: make.literal(false), step: make.ident(name), result };
  return { ...fold(at, make.list(), ['#unused'], loop), accumulator: name };
}

function fold(at: number, range: Expr, names: readonly string[], loop: Loop): Comprehension {
  const [variable = '', variable2] = names;
  return { kind: 'comprehension', at, range, variable, variable2, accumulator: accumulatorName, ...loop };
}

function simpleName(expr: Expr, otherwise: string): string | Issue {
  if (expr.kind !== 'ident') return { at: expr.at, message: otherwise };
  if (expr.name === accumulatorName || expr.name === '__result__') {
    return { at: expr.at, message: 'iteration variable overwrites accumulator variable' };
  }
  return expr.name;
}

function twoNames(args: readonly Expr[]): readonly [string, string] | Issue {
  const [one, two] = args as readonly [Expr, Expr];
  const first = simpleName(one, 'argument must be a simple name');
  if (typeof first !== 'string') return first;
  const second = simpleName(two, 'argument must be a simple name');
  if (typeof second !== 'string') return second;
  return first === second ? { at: two.at, message: `duplicate variable name: ${first}` } : [first, second];
}

function isProblem(names: readonly [string, string] | Issue): names is Issue {
  return !Array.isArray(names);
}

function maker(at: number) {
  const call = (name: string, target: Expr | undefined, args: readonly Expr[]): Call => ({ kind: 'call', at, name, target, args });
  return {
    ident: (name: string): Expr => ({ kind: 'ident', at, name }),
    accumulator: (): Expr => ({ kind: 'ident', at, name: accumulatorName }),
    literal: (value: boolean | bigint): Expr => ({ kind: 'literal', at, value }),
    list: (...elements: readonly Expr[]): Expr => ({ kind: 'list', at, elements, optionals: new Set() }),
    map: (): Expr => ({ kind: 'map', at, entries: [] }),
    call: (name: string, ...args: readonly Expr[]): Expr => call(name, undefined, args),
    member: (name: string, target: Expr, ...args: readonly Expr[]): Expr => call(name, target, args),
  };
}

/** Types and costs are stored per node, so a part that is used twice is copied. */
function copyExpr(expr: Expr): Expr | undefined {
  const open: Expr[] = [expr];
  for (let count = 0; open.length > 0; count += 1) {
    if (count > maxCopied) return undefined;
    const next = open.pop();
    if (next) open.push(...childrenOf(next));
  }
  return structuredCopy(expr) as Expr;
}

/** A chain of optMap doubles with each link. */
const maxCopied = 10_000;

function structuredCopy(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(structuredCopy);
  if (part === null || typeof part !== 'object' || !('at' in part)) return part;
  const entries = Object.entries(part).map(([name, value]) => [name, name === 'value' && !isNode(value) ? value : structuredCopy(value)]);
  return Object.fromEntries(entries);
}

function isNode(value: unknown): boolean {
  return value !== null && typeof value === 'object' && 'at' in value && 'kind' in value;
}
