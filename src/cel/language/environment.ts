import { getOrAdd } from '../../meta/index.ts';
import { declarations } from '../functions/declarations.ts';
import type { Result, Value } from '../values/value.ts';
import type { MacroLibrary } from './macros.ts';
import { patchStruct } from './structs.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  optionalType,
  parseType,
  splitTypes,
  stringType,
  structType,
  type Type,
  timestampType,
  typeType,
  uintType,
} from './types.ts';

/** One signature of a function. */
export interface Overload {
  /** Called on its first argument as the receiver. */
  readonly member: boolean;
  readonly args: readonly Type[];
  readonly result: Type;
  /** `string,int`: identifies the overload. */
  readonly signature: string;
  /** Implementation of a host function; undefined for built-in functions. */
  readonly call?: (...args: readonly Value[]) => Result;
}

/** Declares a host function: `hostFunction('string,string', 'dyn', (a, b) => …)`. */
export function hostFunction(args: string, result: string, call: (...args: readonly Value[]) => Result): Overload {
  return { ...readSignature(`${args}:${result}`), call };
}

/** The declarations that an expression can use. Cf. cel-go Env. */
export interface Environment {
  readonly variables: ReadonlyMap<string, Type>;
  readonly functions: ReadonlyMap<string, readonly Overload[]>;
  readonly structs: (typeName: string) => StructFields | undefined;
  readonly hasMacros: (library: MacroLibrary) => boolean;
}

/** The fields of a struct type; undefined for unknown fields. */
export type StructFields = (field: string) => Type | undefined;

export interface EnvironmentOptions {
  readonly variables?: Iterable<readonly [name: string, type: Type]>;
  readonly structs?: Iterable<readonly [name: string, fields: StructFields]>;
  /** Host functions, which take precedence over built-in ones. */
  readonly functions?: Iterable<readonly [name: string, overloads: readonly Overload[]]>;
  /** Built-in functions to exclude. */
  readonly without?: readonly string[];
  /** Whether to enable `cel.bind(name, value, expression)`. */
  readonly bindings?: boolean;
}

/**
 * `new` is for expressions in a write: they must also work after a downgrade to the previous release. `stored` is for expressions
 * that are already stored, and allows everything.
 */
export type EnvironmentType = 'new' | 'stored';

export interface EnvironmentSet {
  extend(age: EnvironmentType, declared: EnvironmentOptions): Environment;
}

const shared = new Map<boolean, EnvironmentSet>();

/** The environments with and without the types of patches. They parse the declarations once, on first use: few servers have expressions. */
export function environments({ patches }: { readonly patches: boolean } = { patches: false }): EnvironmentSet {
  return getOrAdd(shared, patches, () => createEnvironments(patches));
}

function createEnvironments(patches: boolean): EnvironmentSet {
  const base = `${declarations.base}\n${patches ? declarations.patches : ''}`;
  const read = new Map<EnvironmentType, Environment['functions']>();
  const functionsOf = (age: EnvironmentType): Environment['functions'] =>
    getOrAdd(read, age, () => readFunctions(age === 'new' ? base : `${base}\n${declarations.lists}`));
  return {
    extend: (age, { variables = [], structs = [], bindings = false, functions: further = [], without = [] }) => {
      const byName = new Map(structs);
      return {
        variables: new Map([...typeNames, ...variables]),
        functions: functionsFor(functionsOf(age), further, without),
        structs: (name) => byName.get(name) ?? (patches ? patchStruct(name) : undefined),
        hasMacros: (library) => (library === 'bindings' ? bindings : library !== 'lists' || age === 'stored'),
      };
    },
  };
}

function functionsFor(
  known: Environment['functions'],
  further: NonNullable<EnvironmentOptions['functions']>,
  without: readonly string[],
): Environment['functions'] {
  const more = [...further];
  if (more.length === 0 && without.length === 0) return known;
  return new Map([...[...known].filter(([name]) => !without.includes(name)), ...more]);
}

function readFunctions(text: string): ReadonlyMap<string, readonly Overload[]> {
  const lines = text.replaceAll('\n ', ' ').split('\n');
  return new Map(lines.filter((line) => line !== '').map((line) => readFunction(line)));
}

function readFunction(line: string): readonly [string, readonly Overload[]] {
  const [name = '', ...signatures] = line.split(' ');
  return [name, signatures.map(readSignature)];
}

function readSignature(text: string): Overload {
  const member = text.startsWith('.');
  const colon = text.lastIndexOf(':');
  const signature = text.slice(member ? 1 : 0, colon);
  return { member, signature, args: splitTypes(signature).map(parseType), result: parseType(text.slice(colon + 1)) };
}

/** Types are also values: `type(x) == int`. */
const namedTypes: readonly Type[] = [
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType(dynType),
  mapType(dynType, dynType),
  nullType,
  optionalType(dynType),
  stringType,
  timestampType,
  { kind: 'type', name: 'type', params: [] },
  uintType,
  ...['URL', 'IP', 'CIDR', 'Quantity', 'Semver', 'NamedFormat'].map(parseType),
];

const typeNames = namedTypes.map((type) => [type.name, typeType(type)] as const);

/** Kubernetes types of variables. */
export const authorizerType: Type = structType('kubernetes.authorization.Authorizer');
export const resourceCheckType: Type = structType('kubernetes.authorization.ResourceCheck');
