import type { Json } from '../../meta/index.ts';
import type { Field, ListSchema, MapSchema, ScalarType, Schema, StructSchema } from '../../schema/index.ts';
import { fieldElement, type PathElement } from './path-element.ts';

/**
 * A schema made ready for walking a value: what can be said of a field is said once. Parts are made when first asked for, since
 * some types contain themselves.
 */
export type Shape = ScalarShape | ListShape | MapShape | StructShape | UntypedShape;

export interface ScalarShape {
  readonly kind: 'scalar';
  readonly type: 'numeric' | 'string' | 'boolean' | 'untyped';
}

export interface ListShape {
  readonly kind: 'list';
  /** One value as a whole; otherwise items are told apart, by `keys` or else by their value. */
  readonly atomic: boolean;
  /** In order of name. */
  readonly keys: readonly KeyField[];
  readonly items: Shape;
}

export interface KeyField {
  readonly name: string;
  /** Stands for a key that an item leaves out. */
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
  /** Of members that are no fields; undefined where there may be none. */
  readonly others: Shape | undefined;
}

/** The field of this name, or what an undeclared member is taken for. */
export function fieldOf({ fields, others }: StructShape, name: string): FieldShape | undefined {
  return fields.get(name) ?? (others && { element: fieldElement(name), shape: others, whenAbsent: undefined, omits: 'nothing' });
}

/** Told by the value: a scalar, an atomic list, or a map that is atomic or not. */
export interface UntypedShape {
  readonly kind: 'untyped';
  readonly atomic: boolean;
}

export interface FieldShape {
  readonly element: PathElement;
  readonly shape: Shape;
  /** What a Go struct has where the object has nothing: {} for a struct, null for a list that is always written. */
  readonly whenAbsent: Json | undefined;
  /** What a Go struct leaves out although the object has it. */
  readonly omits: 'zero' | 'null' | 'nothing';
}

/** `go`: objects stand for Go structs, which know no absent struct and leave zero values out. `json`: objects are what they are. */
export type Presence = 'go' | 'json';

/** The shapes of one kind. */
export class Shapes {
  readonly #presence: Presence;
  readonly #known = new WeakMap<Schema, Shape>();

  constructor(presence: Presence) {
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
        return schema.type === 'IntOrString' ? { kind: 'untyped', atomic: false } : { kind: 'scalar', type: scalarKinds[schema.type] };
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
        return remember(this, 'keys', keyFields(schema));
      },
      get items() {
        return remember(this, 'items', shapes.of(schema.items));
      },
    };
  }

  #makeMap(schema: MapSchema): MapShape {
    const shapes = this;
    return {
      kind: 'map',
      atomic: schema.topology === 'atomic',
      get values() {
        return remember(this, 'values', shapes.of(schema.values));
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
        return remember<ReadonlyMap<string, FieldShape>>(this, 'fields', fields);
      },
      get others() {
        return remember(this, 'others', schema.others && shapes.of(schema.others));
      },
    };
  }

  #makeField(field: Field): FieldShape {
    const shapes = this;
    const go = this.#presence === 'go';
    return {
      element: fieldElement(field.name),
      get shape() {
        return remember(this, 'shape', shapes.of(field.schema));
      },
      get whenAbsent() {
        return remember(this, 'whenAbsent', go ? zeroOf(field) : undefined);
      },
      get omits() {
        return remember(this, 'omits', go ? omission(field) : 'nothing');
      },
    };
  }
}

function remember<T>(owner: object, name: string, value: T): T {
  Object.defineProperty(owner, name, { value, enumerable: true });
  return value;
}

/** As the served OpenAPI has them: texts with a format may be any scalar, and of an IntOrString it names no type at all. */
const scalarKinds: Readonly<Record<ScalarType, ScalarShape['type']>> = {
  string: 'string',
  bytes: 'string',
  Time: 'untyped',
  MicroTime: 'untyped',
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

/** A Go struct stands for it, so that it is never absent: structs themselves, times, quantities and values without a shape. */
function isValueStruct({ schema, pointer, omitZero }: Field): boolean {
  if (pointer || omitZero || schema.form === 'list' || schema.form === 'map') return false;
  return schema.form !== 'scalar' || valueStructs.has(schema.type);
}

const valueStructs: ReadonlyMap<ScalarType, Json> = new Map<ScalarType, Json>([
  ['Time', null],
  ['MicroTime', null],
  ['Quantity', '0'],
  ['IntOrString', 0],
]);

function zeroOf(field: Field): Json | undefined {
  const { schema, pointer, always, omitZero } = field;
  if (isValueStruct(field)) return schema.form === 'struct' ? {} : schema.form === 'scalar' ? valueStructs.get(schema.type) : null;
  if (omitZero || !always) return undefined;
  // A pointer that is always written is written as null.
  if (pointer) return null;
  return schema.form === 'scalar' ? zeroScalars[scalarKinds[schema.type]] : null;
}

const zeroScalars: Readonly<Record<ScalarShape['type'], Json>> = { numeric: 0, string: '', boolean: false, untyped: null };

function omission(field: Field): FieldShape['omits'] {
  return field.pointer || field.always || isValueStruct(field) ? 'null' : 'zero';
}

/** A field's value as the server's own struct would have it: undefined when it is not there. */
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
