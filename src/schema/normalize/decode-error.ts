import goTypesText from '../data/go-types.json?raw';
import type { Schema } from '../schema.ts';

/** A type mismatch; the message is that of Go's JSON decoder. */
export class DecodeError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DecodeError';
  }
}

/** `json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`. */
export function unmarshalTypeError(value: string, struct: string, path: readonly string[], type: string): DecodeError {
  const owner = struct.slice(struct.lastIndexOf('.') + 1);
  return new DecodeError(`json: cannot unmarshal ${value} into Go struct field ${owner}.${path.join('.')} of type ${type}`);
}

const goScalars: Readonly<Record<string, string>> = {
  bool: 'bool',
  int32: 'int32',
  int64: 'int64',
  double: 'float64',
  bytes: '[]uint8',
  Time: 'v1.Time',
  MicroTime: 'v1.MicroTime',
  Quantity: 'resource.Quantity',
  IntOrString: 'intstr.IntOrString',
};

/** The Go type of a field declared in `struct` (`core/v1.PodSpec`), where many string fields have a named type. */
export function goType(schema: Schema, struct: string, field: string): string {
  return namedGoType(struct, field) ?? unnamedGoType(schema);
}

/** The Go type of the items or values of a field. */
export function goItemType(schema: Schema, struct: string, field: string): string {
  const holder = namedGoType(struct, field);
  const named = holder && /^(?:\[\]|map\[[^\]]*\])(.*)$/.exec(holder)?.[1];
  return named ?? unnamedGoType(schema);
}

export function unnamedGoType(schema: Schema): string {
  switch (schema.form) {
    case 'scalar':
      return goScalars[schema.type] ?? 'string';
    case 'list':
      return `[]${unnamedGoType(schema.items)}`;
    case 'map':
      if (schema.values.form === 'scalar' && schema.values.type === 'Quantity') return 'v1.ResourceList';
      return `map[string]${unnamedGoType(schema.values)}`;
    case 'struct':
      return stripGroup(schema.name);
    case 'untyped':
      return schema.type;
  }
}

/** `core/v1.Pod` is v1.Pod in Go. */
function stripGroup(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

interface GoTypes {
  readonly fields: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Loaded on the first error only. */
function namedGoType(struct: string, field: string): string | undefined {
  const cut = struct.lastIndexOf('.');
  const { fields } = JSON.parse(goTypesText) as GoTypes;
  const wanted = `${struct.slice(cut + 1)}.${field}`;
  return Object.entries(fields[struct.slice(0, cut)] ?? {}).find(([, users]) => users.split(' ').includes(wanted))?.[0];
}
