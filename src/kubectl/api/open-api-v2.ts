import { isJsonObject, type JsonObject, recordAt, textAt } from '../../meta/index.ts';

/** A schema as in OpenAPI v2: properties refer to a type, and describe themselves. */
export type SchemaV2 =
  | { readonly form: 'reference'; readonly description: string; readonly name: string }
  | { readonly form: 'array' | 'map'; readonly description: string; readonly items: JsonObject }
  | { readonly form: 'kind'; readonly description: string; readonly fields: JsonObject; readonly required: readonly string[] }
  | { readonly form: 'primitive'; readonly description: string; readonly type: string }
  | { readonly form: 'arbitrary'; readonly description: string };

/** Reads a schema of OpenAPI v3, which has the same types. */
export function readSchema(schema: JsonObject): SchemaV2 {
  const description = textAt(schema, 'description');
  const all = schema['allOf'];
  const reference = textAt(Array.isArray(all) && isJsonObject(all[0]) ? all[0] : schema, '$ref');
  if (reference !== '') return { form: 'reference', description, name: reference.split('/').at(-1) ?? '' };
  const type = textAt(schema, 'type');
  const fields = schema['properties'];
  if (isJsonObject(fields)) {
    const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
    return { form: 'kind', description, fields, required };
  }
  if (type === 'object') return { form: 'map', description, items: recordAt(schema, 'additionalProperties') };
  if (type === 'array') return { form: 'array', description, items: recordAt(schema, 'items') };
  // Quantities and integers or texts are texts in OpenAPI v2.
  const isEither = Array.isArray(schema['oneOf']);
  return type !== '' || isEither ? { form: 'primitive', description, type: type || 'string' } : { form: 'arbitrary', description };
}
