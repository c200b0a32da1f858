/** The type of an expression in the checker. */
export interface Type {
  readonly kind: TypeKind;
  /** `int`, `list`, `google.protobuf.Timestamp`, `kubernetes.Quantity`; a type parameter's own name. */
  readonly name: string;
  readonly params: readonly Type[];
}

export type TypeKind =
  | 'dyn'
  | 'error'
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'list'
  | 'map'
  | 'type'
  | 'struct'
  | 'opaque'
  | 'param';

const simple = (kind: TypeKind, name: string = kind): Type => ({ kind, name, params: [] });

export const dynType: Type = simple('dyn');
/** Checked like `dyn`, with another name. */
export const anyType: Type = simple('dyn', 'any');
export const errorType: Type = simple('error', '*error*');
export const nullType: Type = simple('null', 'null_type');
export const boolType: Type = simple('bool');
export const intType: Type = simple('int');
export const uintType: Type = simple('uint');
export const doubleType: Type = simple('double');
export const stringType: Type = simple('string');
export const bytesType: Type = simple('bytes');
export const timestampType: Type = simple('timestamp', 'google.protobuf.Timestamp');
export const durationType: Type = simple('duration', 'google.protobuf.Duration');

export const listType = (element: Type): Type => ({ kind: 'list', name: 'list', params: [element] });
export const mapType = (key: Type, value: Type): Type => ({ kind: 'map', name: 'map', params: [key, value] });
export const optionalType = (value: Type): Type => ({ kind: 'opaque', name: 'optional_type', params: [value] });
export const typeType = (of: Type): Type => ({ kind: 'type', name: 'type', params: [of] });
export const structType = (name: string): Type => simple('struct', name);
export const paramType = (name: string): Type => simple('param', name);

export function sameType(a: Type, b: Type): boolean {
  return (
    a.kind === b.kind &&
    a.name === b.name &&
    a.params.length === b.params.length &&
    a.params.every((one, i) => sameType(one, b.params[i] as Type))
  );
}

export function isDyn(type: Type): boolean {
  return type.kind === 'dyn';
}

export function isDynOrError(type: Type): boolean {
  return type.kind === 'dyn' || type.kind === 'error';
}

/** The value type of an optional; undefined for other types. */
export function optionalOf(type: Type): Type | undefined {
  return type.kind === 'opaque' && type.name === 'optional_type' ? type.params[0] : undefined;
}

const shownNames: Readonly<Partial<Record<TypeKind, string>>> = {
  timestamp: 'timestamp',
  duration: 'duration',
  null: 'null',
  error: '!error!',
};

/** A type in error messages: `map(string, int)`. */
export function formatType(type: Type): string {
  const name = shownNames[type.kind] ?? type.name;
  return type.params.length === 0 ? name : `${name}(${type.params.map(formatType).join(', ')})`;
}

/** The full name: `list(google.protobuf.Timestamp)`. */
export function typeName({ name, params }: Type): string {
  return params.length === 0 ? name : `${name}(${params.map(typeName).join(', ')})`;
}

/** Parses `list(string)`; names of one capital letter are parameters. */
export function parseType(text: string): Type {
  const open = text.indexOf('(');
  if (open < 0) return namedTypes[text] ?? (/^[A-Z]$/.test(text) ? paramType(text) : kubernetesType(text));
  const name = text.slice(0, open);
  const params = splitTypes(text.slice(open + 1, -1)).map(parseType);
  const [one = dynType, two = dynType] = params;
  if (name === 'list') return listType(one);
  if (name === 'map') return mapType(one, two);
  if (name === 'type') return typeType(one);
  return name === 'optional' ? optionalType(one) : { kind: 'opaque', name, params };
}

const authorization = new Set(['Authorizer', 'PathCheck', 'GroupCheck', 'ResourceCheck', 'Decision']);

/** Kubernetes types. Addresses are opaque to the checker, the others are like messages. */
function kubernetesType(name: string): Type {
  if (name === 'IP' || name === 'CIDR') return { kind: 'opaque', name: `net.${name}`, params: [] };
  return structType(`kubernetes.${authorization.has(name) ? 'authorization.' : ''}${name}`);
}

/** `a,list(b,c)` → `a`, `list(b,c)`. */
export function splitTypes(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const char of text) {
    if (char === ',' && depth === 0) {
      parts.push(part);
      part = '';
      continue;
    }
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    part += char;
  }
  return part === '' ? parts : [...parts, part];
}

const namedTypes: Readonly<Record<string, Type>> = {
  dyn: dynType,
  null: nullType,
  bool: boolType,
  int: intType,
  uint: uintType,
  double: doubleType,
  string: stringType,
  bytes: bytesType,
  timestamp: timestampType,
  duration: durationType,
};
