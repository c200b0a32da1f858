import { declarations } from '../functions/declarations.ts';
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
  /** Called on its first argument. */
  readonly member: boolean;
  readonly args: readonly Type[];
  readonly result: Type;
  /** `string,int`: tells it from its fellows. */
  readonly signature: string;
}

/** What names mean inside an expression. */
export interface Environment {
  readonly variables: ReadonlyMap<string, Type>;
  readonly functions: ReadonlyMap<string, readonly Overload[]>;
  readonly structs: (typeName: string) => StructFields | undefined;
  readonly hasMacros: (library: MacroLibrary) => boolean;
}

/** The fields of one object type, undefined for those it does not have. */
export type StructFields = (field: string) => Type | undefined;

export interface Declared {
  readonly variables?: Iterable<readonly [name: string, type: Type]>;
  readonly structs?: Iterable<readonly [name: string, fields: StructFields]>;
  /** Whether `cel.bind(name, value, expression)` is known. */
  readonly bindings?: boolean;
}

/**
 * `new` is for expressions that somebody writes now: they must also work after going back to the release before. `stored` is for those
 * that already are in the cluster, and knows everything.
 */
export type Age = 'new' | 'stored';

export interface EnvironmentSet {
  extend(age: Age, declared: Declared): Environment;
}

/** Reads the declarations once; what is made of it shares them. */
export function environments(options: { readonly patches: boolean } = { patches: false }): EnvironmentSet {
  const base = `${declarations.base}\n${options.patches ? declarations.patches : ''}`;
  const functions = { new: readFunctions(base), stored: readFunctions(`${base}\n${declarations.lists}`) };
  return {
    extend: (age, { variables = [], structs = [], bindings = false }) => {
      const known = new Map(structs);
      return {
        variables: new Map([...typeNames, ...variables]),
        functions: functions[age],
        structs: (name) => known.get(name) ?? (options.patches ? patchStruct(name) : undefined),
        hasMacros: (library) => (library === 'bindings' ? bindings : library !== 'lists' || age === 'stored'),
      };
    },
  };
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

/** Types are values too: `type(x) == int`. */
const namedTypes: readonly Type[] = [
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
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

/** Types of Kubernetes that variables may have. */
export const authorizerType: Type = structType('kubernetes.authorization.Authorizer');
export const resourceCheckType: Type = structType('kubernetes.authorization.ResourceCheck');
