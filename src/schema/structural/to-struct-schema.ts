import { type Field, type ListSchema, plainField, type Schema, type StructSchema, type UntypedSchema } from '../schema.ts';
import type { SchemaNode } from './schema-node.ts';

const deduced: UntypedSchema = { form: 'untyped', topology: 'deduced', type: 'any' };
const text: Schema = { form: 'scalar', type: 'string' };

/**
 * Converts a definition's schema for field ownership: structs, lists and maps with their topologies. Cf. kube-openapi schemaconv over the
 * built document.
 */
export function toStructSchema(node: SchemaNode, name: string, metadata: StructSchema): StructSchema {
  return new StructConverter(metadata).root(node, name);
}

class StructConverter {
  readonly #metadata: StructSchema;

  constructor(metadata: StructSchema) {
    this.#metadata = metadata;
  }

  root(node: SchemaNode, name: string): StructSchema {
    const preserves = node.preservesUnknown;
    return struct(name, this.#fields(node, preserves, true), node.mapType, preserves ? deduced : undefined);
  }

  /** `above`: an enclosing schema preserves unknown fields, which also holds for its descendants. */
  #schema(node: SchemaNode, above: boolean): Schema {
    const preserves = above || node.preservesUnknown;
    switch (node.type) {
      case 'array':
        return this.#list(node, preserves);
      case 'object':
        return this.#object(node, preserves);
      case 'string':
        return node.format === '' || node.format === 'byte' ? text : { form: 'scalar', type: 'any' };
      case 'integer':
      case 'number':
        return { form: 'scalar', type: 'double' };
      case 'boolean':
        return { form: 'scalar', type: 'bool' };
      default:
        return deduced;
    }
  }

  #list(node: SchemaNode, preserves: boolean): ListSchema {
    const topology = node.listType === 'map' || node.listType === 'set' ? node.listType : 'atomic';
    return {
      form: 'list',
      items: node.items ? this.#schema(node.items, preserves) : { ...deduced, topology: 'atomic' },
      topology,
      keys: topology === 'map' ? node.listMapKeys : [],
      wrapped: false,
    };
  }

  #object(node: SchemaNode, preserves: boolean): Schema {
    const { additional, properties, embedded } = node;
    const isFree = additional === true || (additional === undefined && (preserves || properties.size === 0));
    const others = typeof additional === 'object' ? this.#schema(additional, preserves) : isFree ? deduced : undefined;
    if (properties.size === 0 && !embedded && others) {
      return { form: 'map', values: others, topology: node.mapType === 'atomic' ? 'atomic' : 'granular' };
    }
    return struct('', this.#fields(node, preserves, embedded), node.mapType, others);
  }

  #fields(node: SchemaNode, preserves: boolean, isObject: boolean): readonly Field[] {
    const own = [...node.properties].map(([name, one]) => field(name, this.#schema(one, preserves), one.default));
    if (!isObject) return own;
    const meta = [field('kind', text, undefined), field('apiVersion', text, undefined), field('metadata', this.#metadata, undefined)];
    return [...meta, ...own.filter(({ name }) => !meta.some((one) => one.name === name))];
  }
}

function struct(name: string, fields: readonly Field[], mapType: string | undefined, others: Schema | undefined): StructSchema {
  return {
    form: 'struct',
    name,
    topology: mapType === 'atomic' ? 'atomic' : 'granular',
    typeMeta: name !== '',
    fields,
    byName: new Map(fields.map((one) => [one.name, one])),
    messageFields: [],
    ...(others ? { others } : {}),
  };
}

function field(name: string, schema: Schema, fallback: unknown): Field {
  return { ...plainField(name, schema), default: fallback };
}
