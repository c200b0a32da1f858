import { ListValue } from '../values/list.ts';
import { MapValue } from '../values/map.ts';
import { Duration, OpaqueValue, OptionalValue, Timestamp, TypeValue, Uint, type Value } from '../values/value.ts';

/** The result of `type(x)`. */
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
  if (value instanceof ListValue) return 'list';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof TypeValue) return 'type';
  return value instanceof OptionalValue ? 'optional_type' : 'dyn';
}

/** Go's name of the type, which some errors contain. */
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
