import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import { base64ToBytes } from '../meta/index.ts';
import { ListValue } from './values/list.ts';
import { EntriesMap, MapValue } from './values/map.ts';
import { type Result, TypeValue, Uint, type Value } from './values/value.ts';

/** The package of the CEL conformance tests exports only their value, not their type. */
export type Suite = typeof tests;

/** A value in the JSON form of protobuf: `{ "int64Value": "1" }`. */
export type JsonValue = Readonly<Record<string, unknown>>;

export interface NamedType {
  readonly primitive?: string;
  readonly wellKnown?: string;
  readonly typeParam?: string;
  readonly listType?: { readonly elemType: NamedType };
  readonly mapType?: { readonly keyType: NamedType; readonly valueType: NamedType };
  readonly abstractType?: { readonly name: string; readonly parameterTypes: readonly NamedType[] };
  readonly dyn?: unknown;
  readonly null?: unknown;
}

interface Declaration {
  readonly name: string;
  readonly ident?: { readonly type: NamedType };
  readonly function?: { readonly overloads: readonly { readonly params: readonly NamedType[]; readonly resultType: NamedType }[] };
}

/** A conformance case, without protobuf messages. */
export interface CaseExpectation {
  readonly expr: string;
  readonly typeEnv?: readonly Declaration[];
  readonly bindings?: Readonly<Record<string, { readonly value: JsonValue }>>;
  readonly checkOnly?: boolean;
  readonly disableCheck?: boolean;
  readonly value?: JsonValue;
  readonly evalError?: unknown;
  readonly typedResult?: { readonly result?: JsonValue; readonly deducedType: NamedType };
}

/** Suites of extensions that Kubernetes does not have, and of messages, enums and containers. */
const otherSuites = new Set('block_ext dynamic encoders_ext enums math_ext proto2 proto2_ext proto3 wrappers'.split(' '));
const needsMessages =
  /cel\.expr\.conformance|TestAllTypes|objectValue|google\.protobuf\.(?!Timestamp|Duration)|enumValue|messageType|GlobalEnum|wellKnown|wrapper/;

/** Cases within the scope of Kubernetes' CEL, by `suite/section/name expression`. */
export function casesInScope(): ReadonlyMap<string, CaseExpectation> {
  const found = new Map<string, CaseExpectation>();
  const visit = (suite: Suite, path: string): void => {
    for (const { original } of suite.tests ?? []) {
      if (!needsMessages.test(JSON.stringify(original)))
        found.set(`${path}/${original.name} ${original.expr}`, original as unknown as CaseExpectation);
    }
    for (const inner of suite.suites ?? []) visit(inner, `${path}/${inner.name}`);
  };
  for (const suite of tests.suites ?? []) if (!otherSuites.has(suite.name)) visit(suite, suite.name);
  return found;
}

const primitives: Readonly<Record<string, string>> = { INT64: 'int', UINT64: 'uint' };

/** A type as declarations write it: `list(int)`. */
export function typeText(type: NamedType): string {
  if (type.primitive) return primitives[type.primitive] ?? type.primitive.toLowerCase();
  if (type.listType) return `list(${typeText(type.listType.elemType)})`;
  if (type.mapType) return `map(${typeText(type.mapType.keyType)},${typeText(type.mapType.valueType)})`;
  if (type.abstractType) {
    const { name, parameterTypes } = type.abstractType;
    return `${name === 'optional_type' ? 'optional' : name}(${parameterTypes.map(typeText).join(',')})`;
  }
  return type.typeParam ?? (type.dyn ? 'dyn' : 'null');
}

/** Converts a case's value to an engine value. */
export function fromJson(json: JsonValue): Value {
  const [[kind, value] = []] = Object.entries(json);
  switch (kind) {
    case 'int64Value':
      return BigInt(value as string);
    case 'uint64Value':
      return new Uint(BigInt(value as string));
    case 'doubleValue':
      return Number(value);
    case 'bytesValue':
      return base64ToBytes(value as string);
    case 'typeValue':
      return new TypeValue(value as string);
    case 'listValue':
      return ListValue.of(((value as { values?: readonly JsonValue[] }).values ?? []).map(fromJson));
    case 'mapValue': {
      const { entries = [] } = value as { entries?: readonly { key: JsonValue; value: JsonValue }[] };
      return EntriesMap.of(entries.map((entry) => [fromJson(entry.key), fromJson(entry.value)]));
    }
    default:
      return value as Value;
  }
}

/** A canonical text: the same for equal values of equal types. */
export function formatResult(value: Result): string {
  if (value instanceof ListValue) return `[${value.elements.map(formatResult).join(', ')}]`;
  if (value instanceof MapValue)
    return `{${value.keys
      .map((key) => `${formatResult(key)}: ${formatResult(value.find(key) ?? null)}`)
      .sort()
      .join(', ')}}`;
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Uint8Array) return `b"${Array.from(value).join(' ')}"`;
  if (value instanceof TypeValue) return `type ${value.name}`;
  if (typeof value === 'number') return `double ${value}`;
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
