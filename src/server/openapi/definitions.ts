import { isJsonObject, type JsonObject, type Product, recordAt } from '../../meta/index.ts';
import {
  type Catalog,
  type DescribeType,
  type Field,
  formatGroupVersion,
  parseGroupVersion,
  type Resource,
  readSpecials,
  type Schema,
  type Specials,
  type StructSchema,
} from '../../schema/index.ts';

/** Version 2 has references side by side with other members, and no defaults. */
export type Dialect = 'v2' | 'v3';

export type CustomSchema = (resource: Resource, dialect: Dialect) => JsonObject | undefined;

export interface DefinitionOptions {
  readonly catalog: Catalog;
  readonly product: Product;
  readonly dialect: Dialect;
  readonly customSchema: CustomSchema;
  readonly describe: DescribeType;
}

/** Writes types of the catalog as schemas of OpenAPI. Types go by their catalog name (`core/v1.Pod`, `Quantity`). */
export class DefinitionWriter {
  readonly #catalog: Catalog;
  readonly #product: Product;
  readonly #specials: Specials;
  readonly #dialect: Dialect;
  readonly #customSchema: CustomSchema;
  readonly #describe: DescribeType;
  readonly #groupVersions: ReadonlyMap<string, string>;
  readonly #customs: ReadonlyMap<string, Resource>;

  constructor({ catalog, product, dialect, customSchema, describe }: DefinitionOptions) {
    this.#catalog = catalog;
    this.#product = product;
    this.#specials = readSpecials(product);
    this.#dialect = dialect;
    this.#customSchema = customSchema;
    this.#describe = describe;
    const all = catalog.groups.flatMap(({ name, versions }) => versions.map((version) => formatGroupVersion({ group: name, version })));
    this.#groupVersions = new Map(all.map((groupVersion) => [catalog.packageOf(groupVersion), groupVersion]));
    const customs = all.flatMap((groupVersion) => catalog.resourcesOf(groupVersion).filter(({ custom }) => custom));
    this.#customs = new Map(customs.map((resource) => [`${catalog.packageOf(formatGroupVersion(resource))}.${resource.kind}`, resource]));
  }

  /** Schemas of these types and of all that they refer to, by definition name, sorted; one in each step. */
  *all(types: Iterable<string>): Generator<void, JsonObject> {
    const written = new Map<string, JsonObject>();
    const open = [...new Set(types)];
    const seen = new Set(open);
    const refer = (type: string): void => {
      if (seen.has(type)) return;
      seen.add(type);
      open.push(type);
    };
    for (let type = open.pop(); type !== undefined; type = open.pop()) {
      yield;
      if (type !== 'string') written.set(this.nameOf(type), yield* this.#write(type, refer));
    }
    return Object.fromEntries([...written].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  reference(type: string): JsonObject {
    if (type === 'string') return { type };
    return { $ref: `${this.#dialect === 'v2' ? '#/definitions/' : '#/components/schemas/'}${this.nameOf(type)}` };
  }

  /** `core/v1.Pod` → `io.k8s.api.core.v1.Pod`; of custom types the group is turned round: `com.example.v1.Widget`. */
  nameOf(type: string): string {
    const special = this.#specials.types.get(type);
    if (special) return special.definition;
    const cut = type.lastIndexOf('.');
    const [group = '', version = ''] = type.slice(0, cut).split('/');
    const name = `${version}.${type.slice(cut + 1)}`;
    const custom = this.#customs.get(type) ?? this.#customs.get(type.replace(/List$/, ''));
    if (custom) return `${custom.group.split('.').reverse().join('.')}.${name}`;
    const prefix = this.#product.names.openApiTypePrefix;
    switch (group) {
      case 'meta':
        return `${prefix}apimachinery.pkg.apis.meta.${name}`;
      case 'apiextensions':
        return `${prefix}apiextensions-apiserver.pkg.apis.apiextensions.${name}`;
      case 'apiregistration':
        return `${prefix}kube-aggregator.pkg.apis.apiregistration.${name}`;
      default:
        return `${prefix}api.${group}.${name}`;
    }
  }

  *#write(type: string, refer: (type: string) => void): Generator<void, JsonObject> {
    const special = this.#specials.types.get(type);
    if (special) {
      if (type.startsWith('JSONSchemaProps')) refer('apiextensions/v1.JSONSchemaProps');
      return this.#describeSpecial(type, (this.#dialect === 'v2' ? special.v2 : special.v3) as JsonObject);
    }
    const custom = this.#customs.get(type);
    if (custom) return yield* this.#writeCustom(custom, refer);
    const listed = this.#customs.get(type.replace(/List$/, ''));
    if (listed) return this.#customList(type, listed, refer);
    return this.#struct(this.#catalog.type(type), refer);
  }

  #describeSpecial(type: string, schema: JsonObject): JsonObject {
    const properties = Object.entries(recordAt(schema, 'properties')).map(([name, value]): [string, JsonObject[string]] => [
      name,
      isJsonObject(value) ? { ...this.#description(type, name), ...value } : value,
    ]);
    return { ...this.#description(type), ...schema, ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}) };
  }

  #struct(struct: StructSchema, refer: (type: string) => void): JsonObject {
    const properties = struct.fields.map((field): [string, JsonObject] => [field.name, this.#property(struct, field, refer)]);
    const required = struct.fields.filter((field) => field.required).map((field) => field.name);
    const union = struct.union;
    return {
      ...this.#description(struct.name),
      type: 'object',
      ...(required.length > 0 ? { required } : {}),
      ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
      ...this.#kinds(struct),
      ...(struct.topology === 'atomic' ? this.#extension('map-type', 'atomic') : {}),
      ...(union
        ? this.#extension('unions', [{ discriminator: union.discriminator, 'fields-to-discriminateBy': { ...union.fields } }])
        : {}),
    };
  }

  #property(struct: StructSchema, field: Field, refer: (type: string) => void): JsonObject {
    const bare = this.#schema(field.schema, refer);
    const { declared, schema } = field;
    return {
      ...this.#description(struct.name, field.name),
      ...this.#withDefault(bare, field.default as JsonObject | undefined, !field.plainRef),
      ...(declared ? this.#extension(declared.extension, declared.topology) : {}),
      ...(declared?.topology === 'map' && schema.form === 'list' ? this.#extension('list-map-keys', [...schema.keys]) : {}),
      ...(field.patchStrategies.length > 0 ? this.#extension('patch-strategy', field.patchStrategies.join(',')) : {}),
      ...(field.patchMergeKey === undefined ? {} : this.#extension('patch-merge-key', field.patchMergeKey)),
    };
  }

  /** Version 3 allows nothing beside a reference, so it is wrapped. */
  #withDefault(schema: JsonObject, fallback: JsonObject | undefined, documented: boolean): JsonObject {
    if (this.#dialect === 'v2') return schema;
    const given = fallback === undefined ? {} : { default: fallback };
    if (schema['$ref'] === undefined) return { ...schema, ...given };
    return fallback === undefined && !documented ? schema : { allOf: [schema], ...given };
  }

  #schema(schema: Schema, refer: (type: string) => void): JsonObject {
    switch (schema.form) {
      case 'scalar': {
        const plain = scalarSchemas[schema.type];
        if (plain) return schema.enum ? { ...plain, enum: [...schema.enum] } : plain;
        refer(schema.type);
        return this.reference(schema.type);
      }
      case 'untyped': {
        if (schema.type === 'any') return { type: 'object' };
        refer(schema.type);
        return this.reference(schema.type);
      }
      case 'struct':
        refer(schema.name);
        return this.reference(schema.name);
      case 'list':
        return { type: 'array', items: this.#item(schema.items, refer) };
      case 'map':
        return { type: 'object', additionalProperties: this.#item(schema.values, refer) };
    }
  }

  #item(schema: Schema, refer: (type: string) => void): JsonObject {
    return this.#withDefault(this.#schema(schema, refer), zeroOf(schema) as JsonObject | undefined, false);
  }

  *#writeCustom(resource: Resource, refer: (type: string) => void): Generator<void, JsonObject> {
    const given = this.#customSchema(resource, this.#dialect);
    // Without a schema no fields are listed: clients would treat the list as complete.
    if (!given) return { type: 'object', ...this.#extension('group-version-kind', [kindOf(resource, resource.kind)]) };
    refer('meta/v1.ObjectMeta');
    yield;
    const whole = this.#withEmbedded(given);
    yield;
    return {
      ...this.#withObjectMembers(whole),
      ...this.#extension('group-version-kind', [kindOf(resource, resource.kind)]),
      ...this.#selectable(resource),
    };
  }

  #selectable({ fieldSelectors }: Resource): JsonObject {
    const fields = fieldSelectors.map((fieldPath) => ({ fieldPath }));
    return fields.length > 0 ? this.#extension('selectable-fields', fields) : {};
  }

  #withObjectMembers(schema: JsonObject): JsonObject {
    const properties = recordAt(schema, 'properties');
    const metadata = this.reference('meta/v1.ObjectMeta');
    return {
      ...schema,
      properties: {
        ...properties,
        apiVersion: { ...this.#description('', 'apiVersion'), type: 'string' },
        kind: { ...this.#description('', 'kind'), type: 'string' },
        metadata: { ...(this.#dialect === 'v2' ? metadata : { allOf: [metadata] }), ...this.#description('', 'metadata') },
      },
    };
  }

  /** Objects inside the object have a type and metadata, too. */
  #withEmbedded(schema: JsonObject): JsonObject {
    const prefix = this.#product.names.openApiExtensionPrefix;
    const inner = (value: JsonObject[string]): JsonObject[string] => (isJsonObject(value) ? this.#withEmbedded(value) : value);
    const members = Object.entries(schema).map(([name, value]): readonly [string, JsonObject[string]] => {
      if (name === 'items' || name === 'additionalProperties') return [name, inner(value)];
      if (name !== 'properties' || !isJsonObject(value)) return [name, value];
      return [name, Object.fromEntries(Object.entries(value).map(([property, each]) => [property, inner(each)]))];
    });
    const whole = Object.fromEntries(members);
    // In version 2 clients would take these for all members there are.
    const loose = this.#dialect === 'v2' && whole[`${prefix}preserve-unknown-fields`] === true;
    if (loose || whole[`${prefix}embedded-resource`] !== true) return whole;
    const required = Array.isArray(whole['required']) ? whole['required'] : [];
    const missing = ['kind', 'apiVersion'].filter((name) => !required.includes(name));
    return { ...this.#withObjectMembers(whole), required: [...required, ...missing] };
  }

  #customList(type: string, resource: Resource, refer: (type: string) => void): JsonObject {
    const item = type.replace(/List$/, '');
    refer(item);
    refer('meta/v1.ListMeta');
    const metadata = this.reference('meta/v1.ListMeta');
    const { listKind, kind, name } = resource;
    return {
      description: `${listKind} is a list of ${kind}`,
      type: 'object',
      required: ['items'],
      properties: {
        apiVersion: { ...this.#description('', 'apiVersion'), type: 'string' },
        items: {
          description: `List of ${name}. More info: ${this.#product.rename(apiConventions)}`,
          type: 'array',
          items: this.reference(item),
        },
        kind: { ...this.#description('', 'kind'), type: 'string' },
        metadata: { ...(this.#dialect === 'v2' ? metadata : { allOf: [metadata] }), ...this.#description(type, 'metadata') },
      },
      ...this.#extension('group-version-kind', [kindOf(resource, resource.listKind)]),
      ...this.#selectable(resource),
    };
  }

  /** A watch event has no kind, but is listed as a kind. */
  #kinds({ name, typeMeta }: StructSchema): JsonObject {
    return typeMeta || name === watchEvent ? this.#extension('group-version-kind', this.#kindsOf(name)) : {};
  }

  /** In which group versions a kind is known: one, but the options of every request in all of them. */
  #kindsOf(type: string): readonly JsonObject[] {
    const cut = type.lastIndexOf('.');
    const kind = type.slice(cut + 1);
    const inPackage = type.slice(0, cut);
    if (type === 'meta/v1.DeleteOptions' || type === watchEvent) {
      return this.#specials.optionVersions.map((groupVersion) => kindOf(parseGroupVersion(groupVersion), kind));
    }
    const groupVersion = inPackage === 'meta/v1' ? 'v1' : this.#groupVersions.get(inPackage);
    return groupVersion === undefined ? [] : [kindOf(parseGroupVersion(groupVersion), kind)];
  }

  #description(type: string, field?: string): JsonObject {
    const text = this.#describe(type, field);
    return text === undefined ? {} : { description: text };
  }

  #extension(name: string, value: JsonObject[string]): JsonObject {
    return { [`${this.#product.names.openApiExtensionPrefix}${name}`]: value };
  }
}

const watchEvent = 'meta/v1.WatchEvent';

const apiConventions = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

const scalarSchemas: Readonly<Record<string, JsonObject>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
};

const zeros: Readonly<Record<string, string | boolean | number>> = { string: '', bool: false, int32: 0, int64: 0, double: 0 };

/** The default of an item in version 3. */
function zeroOf(schema: Schema): unknown {
  if (schema.form === 'struct') return {};
  return schema.form === 'scalar' ? zeros[schema.type] : undefined;
}

function kindOf({ group, version }: { readonly group: string; readonly version: string }, kind: string): JsonObject {
  return { group, kind, version };
}
