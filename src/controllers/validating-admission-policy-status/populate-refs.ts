import { isJsonObject, type Json, type JsonObject, objectsAt, recordAt, textAt } from '../../meta/index.ts';

const refPrefix = '#/components/schemas/';

/** Formats of built-in types that custom kinds describe by extensions. */
const intOrString = 'int-or-string';

/** Replaces references to other schemas by these. A reference within the schema that it refers to becomes an empty object. Cf. resolver.PopulateRefs. */
export function populateRefs(schema: JsonObject, schemas: JsonObject, visited: readonly string[] = []): JsonObject {
  const name = refOf(schema);
  if (name !== undefined) {
    if (visited.includes(name)) return { type: 'object' };
    return populateRefs(recordAt(schemas, name), schemas, [...visited, name]);
  }
  const populate = (one: Json | undefined): Json => (isJsonObject(one) ? populateRefs(one, schemas, visited) : (one ?? null));
  const { properties, additionalProperties, items, ...rest } = schema;
  return {
    ...rest,
    ...(schema['format'] === intOrString ? { 'x-kubernetes-int-or-string': true } : {}),
    ...(isJsonObject(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).map(([key, property]) => [key, populate(property)])) }
      : {}),
    ...(additionalProperties === undefined ? {} : { additionalProperties: populate(additionalProperties) }),
    ...(items === undefined ? {} : { items: populate(items) }),
  };
}

/** The name of the referred schema. References with a description are in an allOf. */
function refOf(schema: JsonObject): string | undefined {
  const refs = [schema, ...objectsAt(schema, 'allOf')].map((one) => textAt(one, '$ref'));
  return refs.find((ref) => ref.startsWith(refPrefix))?.slice(refPrefix.length);
}
