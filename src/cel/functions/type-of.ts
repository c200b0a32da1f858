import { ListValue } from '../values/list.ts';
import { MapValue } from '../values/map.ts';
import { Duration, OpaqueValue, OptionalValue, Timestamp, TypeValue, Uint, type Value } from '../values/value.ts';

/** What `type(x)` answers. */
export function typeValueOf(value: Value): TypeValue {
  return new TypeValue(typeNameOf(value));
}

export function typeNameOf(value: Value): string {
  if (value === null) return 'null_type';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'double';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (value instanceof OpaqueValue) return value.typeName;
  if (value instanceof MapValue) return 'map';
  return classNames.find(([type]) => value instanceof type)?.[1] ?? 'dyn';
}

const classNames = [
  [ListValue, 'list'],
  [Uint, 'uint'],
  [Uint8Array, 'bytes'],
  [Timestamp, 'google.protobuf.Timestamp'],
  [Duration, 'google.protobuf.Duration'],
  [TypeValue, 'type'],
  [OptionalValue, 'optional_type'],
] as const;
