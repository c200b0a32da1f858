import type { JsonObject, Product } from '../../meta/index.ts';
import type { DefinitionWriter } from './definitions.ts';
import type { Operation } from './operations.ts';
import { inOrder, type Parameter } from './parameters.ts';
import { byPath, responseDescription, typesOf } from './paths.ts';

/** One document of version 3: operations, and the schemas they need. */
export function* documentV3(
  operations: readonly Operation[],
  writer: DefinitionWriter,
  product: Product,
  release: string,
): Generator<void, JsonObject> {
  const paths = byPath(operations).map(({ path, shared, operations: all }): [string, JsonObject] => [
    path,
    {
      ...Object.fromEntries(all.map((operation) => [operation.method, operationV3(operation, shared, writer, product)])),
      ...(shared.length > 0 ? { parameters: shared.map(parameterV3) } : {}),
    },
  ]);
  const schemas = yield* writer.all(typesOf(operations));
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: release },
    paths: Object.fromEntries(paths),
    components: {
      ...(Object.keys(schemas).length > 0 ? { schemas } : {}),
      securitySchemes: {
        BearerToken: { type: 'apiKey', description: 'A bearer token.', name: 'authorization', in: 'header' },
      },
    },
  };
}

function operationV3(operation: Operation, shared: readonly Parameter[], writer: DefinitionWriter, product: Product): JsonObject {
  const { tag, id, body, consumes, produces, responses, action, kind } = operation;
  const own = inOrder(operation.parameters.filter((parameter) => !shared.includes(parameter)));
  const content = (type: string, mediaTypes: readonly string[]): JsonObject =>
    Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: writer.reference(type) }]));
  const prefix = product.names.openApiExtensionPrefix;
  return {
    tags: [tag],
    operationId: id,
    ...(own.length > 0 ? { parameters: own.map(parameterV3) } : {}),
    ...(body ? { requestBody: { content: content(body.type, consumes ?? []), ...(body.required ? { required: true } : {}) } } : {}),
    responses: {
      ...Object.fromEntries(
        responses.map(([code, type]) => [code, { description: responseDescription(code), content: content(type, produces) }]),
      ),
      401: { description: responseDescription(401) },
    },
    ...(action === undefined ? {} : { [`${prefix}action`]: action }),
    ...(kind ? { [`${prefix}group-version-kind`]: { ...kind } } : {}),
  };
}

function parameterV3({ name, in: where, type, description }: Parameter): JsonObject {
  return { name, in: where, description, ...(where === 'path' ? { required: true } : {}), schema: { type, uniqueItems: true } };
}
