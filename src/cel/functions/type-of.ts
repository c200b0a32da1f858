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

/** How the real one names the type in errors that were not meant for readers. */
export function goTypeName(value: Value): string {
  const name = typeNameOf(value);
  return goTypeNames[name] ?? name;
}

const goTypeNames: Readonly<Record<string, string>> = {
  null_type: 'types.Null',
  bool: 'types.Bool',
  int: 'types.Int',
  uint: 'types.Uint',
  double: 'types.Double',
  string: 'types.String',
  bytes: 'types.Bytes',
  type: '*types.Type',
  list: '*types.baseList',
  map: '*types.baseMap',
  optional_type: '*types.Optional',
  'net.IP': 'cel.IP',
  'net.CIDR': 'cel.CIDR',
  'kubernetes.Quantity': 'cel.Quantity',
  'kubernetes.URL': 'cel.URL',
  'kubernetes.Semver': 'cel.Semver',
  'kubernetes.NamedFormat': 'cel.Format',
  'google.protobuf.Timestamp': 'types.Timestamp',
  'google.protobuf.Duration': 'types.Duration',
};
