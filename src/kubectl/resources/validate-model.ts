import { isJsonObject, type Json, type JsonObject, objectsAt, recordAt } from '../../meta/index.ts';
import type { Cluster, GroupVersionKind } from '../api/cluster.ts';
import { fetchDocument } from '../api/open-api.ts';
import { readSchema } from '../api/open-api-v2.ts';

/** The errors of an object by the OpenAPI schema of its kind; none for a kind without one. */
export async function findModelErrors(cluster: Cluster, object: JsonObject): Promise<readonly string[]> {
  const [version = '', group = ''] = String(object['apiVersion']).split('/').reverse();
  const kind = String(object['kind']);
  const document = await fetchDocument(cluster.client, { group, version });
  const schemas = recordAt(recordAt(document, 'components'), 'schemas');
  const model = Object.keys(schemas).find((name) => describesKind(recordAt(schemas, name), { group, version, kind }));
  return model === undefined ? [] : new ModelValidator(schemas).validate(object, model, kind);
}

function describesKind(schema: JsonObject, { group, version, kind }: GroupVersionKind): boolean {
  const extension = Object.keys(schema).find((name) => name.endsWith('-group-version-kind'));
  const kinds = extension === undefined ? [] : objectsAt(schema, extension);
  return kinds.some((one) => one['group'] === group && one['version'] === version && one['kind'] === kind);
}

/** The schema of such a field of a custom resource has no type in OpenAPI v2. */
function acceptsAnything(schema: JsonObject): boolean {
  return schema['nullable'] === true || Object.keys(schema).some((name) => name.endsWith('-preserve-unknown-fields'));
}

/** Cf. kube-openapi pkg/util/proto/validation. */
class ModelValidator {
  readonly #schemas: JsonObject;
  readonly #errors: string[] = [];

  constructor(schemas: JsonObject) {
    this.#schemas = schemas;
  }

  /** The errors of an object that has the named schema. */
  validate(object: JsonObject, model: string, kind: string): readonly string[] {
    this.#visit(object, recordAt(this.#schemas, model), kind, model);
    return this.#errors;
  }

  /** `path` leads to the value, `model` to its schema. */
  #visit(value: Json, given: JsonObject, path: string, model: string): void {
    if (acceptsAnything(given)) return;
    const schema = readSchema(given);
    const expect = (expected: string): void => {
      this.#add(path, `invalid type for ${model}: got ${JSON.stringify(typeOf(value))}, expected ${JSON.stringify(expected)}`);
    };
    if (schema.form === 'reference') this.#visit(value, recordAt(this.#schemas, schema.name), path, schema.name);
    else if (schema.form === 'array') {
      if (Array.isArray(value)) this.#visitItems(value, schema.items, path, model);
      else expect('array');
    } else if (schema.form === 'primitive') {
      if (!accepts(schema.type, typeOf(value))) expect(schema.type);
    } else if (schema.form !== 'arbitrary') {
      if (!isJsonObject(value)) expect('map');
      else if (schema.form === 'kind') this.#visitFields(value, schema, path, model);
      else this.#visitValues(value, schema.items, path, model);
    }
  }

  #visitItems(items: readonly Json[], schema: JsonObject, path: string, model: string): void {
    for (const [index, item] of items.entries()) {
      const at = `${path}[${index}]`;
      if (item === null) this.#add(path, `unknown object type "nil" in ${at}`);
      else this.#visit(item, schema, at, model);
    }
  }

  #visitValues(value: JsonObject, schema: JsonObject, path: string, model: string): void {
    for (const [name, item] of sorted(value)) {
      const at = `${path}.${name}`;
      if (item === null) this.#errors.push(`unknown object type "nil" in ${at}`);
      else this.#visit(item, schema, at, model);
    }
  }

  #visitFields(
    value: JsonObject,
    { fields, required }: { readonly fields: JsonObject; readonly required: readonly string[] },
    path: string,
    model: string,
  ): void {
    for (const [name, item] of sorted(value)) {
      if (item === null) continue;
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (isJsonObject(field)) this.#visit(item, field, `${path}.${name}`, `${model}.${name}`);
      else this.#add(path, `unknown field ${JSON.stringify(name)} in ${model}`);
    }
    for (const name of required)
      if ((value[name] ?? null) === null) this.#add(path, `missing required field ${JSON.stringify(name)} in ${model}`);
  }

  #add(path: string, why: string): void {
    this.#errors.push(`ValidationError(${path}): ${why}`);
  }
}

function sorted(value: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(value)
    .flatMap(([name, item]): (readonly [string, Json])[] => (item === undefined ? [] : [[name, item]]))
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

function typeOf(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (isJsonObject(value)) return 'map';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** A text accepts any scalar, and numbers accept each other. */
function accepts(type: string, found: string): boolean {
  if (found === 'array' || found === 'map') return false;
  if (type === 'string') return true;
  return type === 'boolean' ? found === 'boolean' : found === 'integer' || found === 'number';
}
