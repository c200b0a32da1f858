import { isJsonObject, type Json, type JsonObject, objectsAt, recordAt, textAt, textsAt } from '../../meta/index.ts';

/**
 * A document of version 2 in version 3. Cf. kube-openapi openapiconv/convert.go, which loses the same parts: parameters and headers that are
 * shared, servers, and all of a parameter's schema but its type, format and uniqueness. References within `allOf` and `not` stay as they are.
 */
export function convertV2ToV3(document: JsonObject): JsonObject {
  const produces = textsAt(document, 'produces');
  return {
    openapi: '3.0.0',
    ...picked(document, ['info']),
    paths: mapped(recordAt(document, 'paths'), convertPath),
    components: {
      ...section('schemas', mapped(recordAt(document, 'definitions'), convertSchema)),
      ...section('securitySchemes', mapped(recordAt(document, 'securityDefinitions'), convertSecurityScheme)),
      ...section(
        'responses',
        mapped(recordAt(document, 'responses'), (response) => convertResponse(response, produces)),
      ),
    },
    ...picked(document, ['externalDocs']),
  };
}

const isExtension = (name: string): boolean => name.startsWith('x-');

function picked(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

function pickedExtensible(object: JsonObject, names: readonly string[]): JsonObject {
  return picked(object, [...names, ...Object.keys(object).filter(isExtension)]);
}

/** Converts the objects of a map, except extensions. */
function mapped(object: JsonObject, convert: (value: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, isJsonObject(value) && !isExtension(name) ? convert(value) : value]),
  );
}

function section(name: string, entries: JsonObject): JsonObject {
  return Object.keys(entries).length === 0 ? {} : { [name]: entries };
}

function withReference(object: JsonObject, kind: string): JsonObject {
  const reference = object['$ref'];
  return typeof reference === 'string' ? { $ref: reference.replace(`#/${kind}/`, `#/components/${kind}/`) } : {};
}

function convertPath(item: JsonObject): JsonObject {
  const operations = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
  return {
    ...mapped(pickedExtensible(item, operations), convertOperation),
    ...picked(item, ['$ref']),
    ...parametersOf(objectsAt(item, 'parameters')),
  };
}

function parametersOf(parameters: readonly JsonObject[]): JsonObject {
  return parameters.length === 0 ? {} : { parameters: parameters.map(convertParameter) };
}

function convertParameter(parameter: JsonObject): JsonObject {
  const { type = '', format, uniqueItems, schema } = parameter;
  return {
    ...pickedExtensible(parameter, ['name', 'in', 'description', 'required', 'allowEmptyValue']),
    ...withReference(parameter, 'parameters'),
    schema: isJsonObject(schema)
      ? convertSchema(schema)
      : { type, ...(format === undefined ? {} : { format }), ...(uniqueItems === true ? { uniqueItems } : {}) },
  };
}

function convertOperation(operation: JsonObject): JsonObject {
  const parameters = objectsAt(operation, 'parameters');
  const body = parameters.find((one) => one['name'] === 'body' && isJsonObject(one['schema']));
  const produces = textsAt(operation, 'produces');
  return {
    ...pickedExtensible(operation, ['tags', 'summary', 'description', 'externalDocs', 'operationId', 'deprecated']),
    ...parametersOf(parameters.filter((one) => one !== body)),
    ...(body ? { requestBody: contentOf(recordAt(body, 'schema'), textsAt(operation, 'consumes')) } : {}),
    responses: mapped(recordAt(operation, 'responses'), (response) => convertResponse(response, produces)),
  };
}

function contentOf(schema: JsonObject, mediaTypes: readonly string[]): JsonObject {
  return section('content', Object.fromEntries(mediaTypes.map((type) => [type, { schema: convertSchema(schema) }])));
}

function convertResponse(response: JsonObject, produces: readonly string[]): JsonObject {
  const { schema } = response;
  return {
    ...pickedExtensible(response, ['description']),
    ...withReference(response, 'responses'),
    ...(isJsonObject(schema) ? contentOf(schema, produces) : {}),
  };
}

function convertSecurityScheme(scheme: JsonObject): JsonObject {
  const flow = textAt(scheme, 'flow');
  return {
    ...pickedExtensible(scheme, ['description', 'type', 'name', 'in']),
    ...(flow === '' ? {} : { flows: { [flow]: picked(scheme, ['authorizationUrl', 'tokenUrl', 'scopes']) } }),
  };
}

/** A reference beside other members becomes the only member of `allOf`. Cf. kube-openapi builder3/util WrapRefs. */
function convertSchema({ $ref, ...schema }: JsonObject): JsonObject {
  const own = Object.entries(schema).map(([name, value]): readonly [string, Json | undefined] => {
    if (name === 'properties' && isJsonObject(value)) return [name, Object.fromEntries(Object.entries(value).map(convertProperty))];
    return ['items', 'additionalProperties', 'additionalItems'].includes(name) ? [name, convertSchemas(value)] : [name, value];
  });
  if (typeof $ref !== 'string') return Object.fromEntries(own);
  const reference = { $ref: $ref.replace('#/definitions/', '#/components/schemas/') };
  return own.length === 0 ? reference : { ...Object.fromEntries(own), allOf: [reference] };
}

function convertProperty([name, value]: readonly [string, Json | undefined]): readonly [string, Json | undefined] {
  return [name, convertSchemas(value)];
}

function convertSchemas(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((one) => (isJsonObject(one) ? convertSchema(one) : one));
  return isJsonObject(value) ? convertSchema(value) : value;
}
