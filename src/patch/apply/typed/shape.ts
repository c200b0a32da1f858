import type { Json } from '../../../meta/index.ts';
import type { Field, ListSchema, MapSchema, ScalarType, Schema, StructSchema } from '../../../schema/index.ts';
import { fieldElement, type PathElement } from '../fieldpath/path-element.ts';

/** A schema prepared for walking values: derived properties are computed once. Parts are created lazily, since some types are recursive. */
export type Shape = ScalarShape | ListShape | MapShape | StructShape | UntypedShape;

export interface ScalarShape {
  readonly kind: 'scalar';
  readonly type: 'numeric' | 'string' | 'boolean' | 'untyped';
}

export interface ListShape {
  readonly kind: 'list';
  /** Compared as one value; otherwise items have identities, by `keys` or by their value. */
  readonly atomic: boolean;
  /** Sorted by name. */
  readonly keys: readonly KeyField[];
  readonly items: Shape;
}

export interface KeyField {
  readonly name: string;
  /** Default for a key that an item omits. */
  readonly default: Json | undefined;
}

export interface MapShape {
  readonly kind: 'map';
  readonly atomic: boolean;
  readonly values: Shape;
}

export interface StructShape {
  readonly kind: 'struct';
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, FieldShape>;
  /** Shape of undeclared members; undefined where none are allowed. */
  readonly others: Shape | undefined;
}

/** The field of this name, or the shape of an undeclared member. */
export function fieldOf({ fields, others }: StructShape, name: string): FieldShape | undefined {
  return fields.get(name) ?? (others && { element: fieldElement(name), shape: others, whenAbsent: undefined, omits: 'nothing' });
}

/** The shape depends on the value: a scalar, an atomic list, or a map that is atomic or not. */
export interface UntypedShape {
  readonly kind: 'untyped';
  readonly atomic: boolean;
}

export interface FieldShape {
  readonly element: PathElement;
  readonly shape: Shape;
  /** The value of a Go struct for an absent field: {} for a struct, null for a list without omitempty. */
  readonly whenAbsent: Json | undefined;
  /** Values that a Go struct omits although the object has them. */
  readonly omits: 'zero' | 'null' | 'nothing';
}

/** `go`: objects correspond to Go structs, where structs are never absent and zero values are omitted. `json`: objects are plain JSON. */
export type ZeroValueSemantics = 'go' | 'json';

/** Caches the shapes of one kind. */
export class Shapes {
  readonly #presence: ZeroValueSemantics;
  readonly #known = new WeakMap<Schema, Shape>();

  constructor(presence: ZeroValueSemantics) {
    this.#presence = presence;
  }

  of(schema: Schema): Shape {
    const known = this.#known.get(schema);
    if (known) return known;
    const shape = this.#make(schema);
    this.#known.set(schema, shape);
    return shape;
  }

  #make(schema: Schema): Shape {
    switch (schema.form) {
      case 'scalar':
        return schema.type === 'IntOrString' ? { kind: 'untyped', atomic: false } : { kind: 'scalar', type: scalarShapeTypes[schema.type] };
      case 'list':
        return this.#makeList(schema);
      case 'map':
        return this.#makeMap(schema);
      case 'struct':
        return this.#makeStruct(schema);
      case 'untyped':
        return { kind: 'untyped', atomic: schema.topology === 'atomic' };
    }
  }

  #makeList(schema: ListSchema): ListShape {
    const shapes = this;
    return {
      kind: 'list',
      atomic: schema.topology === 'atomic',
      get keys() {
        return memoize(this, 'keys', keyFields(schema));
      },
      get items() {
        return memoize(this, 'items', shapes.of(schema.items));
      },
    };
  }

  #makeMap(schema: MapSchema): MapShape {
    const shapes = this;
    return {
      kind: 'map',
      atomic: schema.topology === 'atomic',
      get values() {
        return memoize(this, 'values', shapes.of(schema.values));
      },
    };
  }

  #makeStruct(schema: StructSchema): StructShape {
    const shapes = this;
    return {
      kind: 'struct',
      atomic: schema.topology === 'atomic',
      get fields() {
        const fields = new Map(schema.fields.map((field) => [field.name, shapes.#makeField(field)]));
        return memoize<ReadonlyMap<string, FieldShape>>(this, 'fields', fields);
      },
      get others() {
        return memoize(this, 'others', schema.others && shapes.of(schema.others));
      },
    };
  }

  #makeField(field: Field): FieldShape {
    const shapes = this;
    const go = this.#presence === 'go';
    return {
      element: fieldElement(field.name),
      get shape() {
        return memoize(this, 'shape', shapes.of(field.schema));
      },
      get whenAbsent() {
        return memoize(this, 'whenAbsent', go ? zeroOf(field) : undefined);
      },
      get omits() {
        return memoize(this, 'omits', go ? omittedValues(field) : 'nothing');
      },
    };
  }
}

function memoize<T>(owner: object, name: string, value: T): T {
  Object.defineProperty(owner, name, { value, enumerable: true });
  return value;
}

/** As in the served OpenAPI: texts with a format may be any scalar, and IntOrString has no type at all. */
const scalarShapeTypes: Readonly<Record<ScalarType, ScalarShape['type']>> = {
  string: 'string',
  bytes: 'string',
  Time: 'untyped',
  MicroTime: 'untyped',
  Duration: 'string',
  bool: 'boolean',
  int32: 'numeric',
  int64: 'numeric',
  double: 'numeric',
  Quantity: 'untyped',
  IntOrString: 'untyped',
  any: 'untyped',
};

function keyFields({ keys, items }: ListSchema): readonly KeyField[] {
  const fields = items.form === 'struct' ? items.byName : undefined;
  return [...keys].sort().map((name) => ({ name, default: fields?.get(name)?.default as Json | undefined }));
}

/** A Go struct by value, which is never absent: structs, times, quantities and values without a shape. */
function isValueStruct({ schema, pointer, omitZero }: Field): boolean {
  if (pointer || omitZero || schema.form === 'list' || schema.form === 'map') return false;
  return schema.form !== 'scalar' || valueStructs.has(schema.type);
}

const valueStructs: ReadonlyMap<ScalarType, Json> = new Map<ScalarType, Json>([
  ['Time', null],
  ['MicroTime', null],
  ['Duration', '0s'],
  ['Quantity', '0'],
  ['IntOrString', 0],
]);

function zeroOf(field: Field): Json | undefined {
  const { schema, pointer, always, omitZero } = field;
  if (isValueStruct(field)) return schema.form === 'struct' ? {} : schema.form === 'scalar' ? valueStructs.get(schema.type) : null;
  if (omitZero || !always) return undefined;
  // A pointer without omitempty is encoded as null.
  if (pointer) return null;
  return schema.form === 'scalar' ? zeroScalars[scalarShapeTypes[schema.type]] : null;
}

const zeroScalars: Readonly<Record<ScalarShape['type'], Json>> = { numeric: 0, string: '', boolean: false, untyped: null };

function omittedValues(field: Field): FieldShape['omits'] {
  return field.pointer || field.always || isValueStruct(field) ? 'null' : 'zero';
}

/** The value of a field in the server's Go struct; undefined when absent. */
export function presentValue({ whenAbsent, omits }: FieldShape, value: Json | undefined): Json | undefined {
  if (value === undefined) return whenAbsent;
  if (omits === 'nothing') return value;
  if (value === null) return whenAbsent;
  return omits === 'zero' && isZero(value) ? undefined : value;
}

function isZero(value: Json): boolean {
  if (typeof value !== 'object') return value === '' || value === 0 || value === false;
  if (value === null) return true;
  for (const name in value) if (Object.hasOwn(value, name)) return false;
  return true;
}
