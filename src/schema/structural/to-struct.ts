import { type Field, type ListSchema, plainField, type Schema, type StructSchema, type UntypedSchema } from '../schema.ts';
import type { SchemaNode } from './schema-node.ts';

const deduced: UntypedSchema = { form: 'untyped', topology: 'deduced', type: 'any' };
const text: Schema = { form: 'scalar', type: 'string' };

/**
 * What of a definition's schema matters for who owns which field: structs, lists and maps with their topologies. Cf. kube-openapi
 * schemaconv over the built document.
 */
export function structOf(node: SchemaNode, name: string, metadata: StructSchema): StructSchema {
  return new Conversion(metadata).root(node, name);
}

class Conversion {
  readonly #metadata: StructSchema;

  constructor(metadata: StructSchema) {
    this.#metadata = metadata;
  }

  root(node: SchemaNode, name: string): StructSchema {
    const keeps = node.preservesUnknown;
    return struct(name, this.#fields(node, keeps, true), node.mapType, keeps ? deduced : undefined);
  }

  /** `keeps`: some schema above keeps what is unknown, and so do all below it. */
  #schema(node: SchemaNode, above: boolean): Schema {
    const keeps = above || node.preservesUnknown;
    switch (node.type) {
      case 'array':
        return this.#list(node, keeps);
      case 'object':
        return this.#object(node, keeps);
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

  #list(node: SchemaNode, keeps: boolean): ListSchema {
    const topology = node.listType === 'map' || node.listType === 'set' ? node.listType : 'atomic';
    return {
      form: 'list',
      items: node.items ? this.#schema(node.items, keeps) : { ...deduced, topology: 'atomic' },
      topology,
      keys: topology === 'map' ? node.listMapKeys : [],
      wrapped: false,
    };
  }

  #object(node: SchemaNode, keeps: boolean): Schema {
    const { additional, properties, embedded } = node;
    const isFree = additional === true || (additional === undefined && (keeps || properties.size === 0));
    const others = typeof additional === 'object' ? this.#schema(additional, keeps) : isFree ? deduced : undefined;
    if (properties.size === 0 && !embedded && others) {
      return { form: 'map', values: others, topology: node.mapType === 'atomic' ? 'atomic' : 'granular' };
    }
    return struct('', this.#fields(node, keeps, embedded), node.mapType, others);
  }

  #fields(node: SchemaNode, keeps: boolean, isObject: boolean): readonly Field[] {
    const own = [...node.properties].map(([name, one]) => field(name, this.#schema(one, keeps), one.default));
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
