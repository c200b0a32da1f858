import type { JsonObject, Product } from '../../meta/index.ts';
import type { DefinitionWriter } from './definitions.ts';
import type { Body, Operation } from './operations.ts';
import { inOrder, type Parameter } from './parameters.ts';
import { byPath, responseDescription, typesOf } from './paths.ts';

/** Bodies of many operations are shared parameters too. */
const sharedBodies: Readonly<Record<string, string>> = {
  'meta/v1.DeleteOptions': 'body-2Y1dVQaQ',
  'meta/v1.Patch': 'body-78PwaGsr',
};

/** Everything in one document of version 2. */
export function* documentV2(
  operations: readonly Operation[],
  writer: DefinitionWriter,
  product: Product,
  release: string,
): Generator<void, JsonObject> {
  const parameters = new Map<string, JsonObject>();
  const parameterOf = (parameter: Parameter): JsonObject => sharedOr(parameters, parameter.shared, parameterV2(parameter));
  const bodyOf = (body: Body): JsonObject => sharedOr(parameters, sharedBodies[body.type], bodyV2(body, writer));
  const paths = byPath(operations).map(({ path, shared, operations: all }): [string, JsonObject] => [
    path,
    {
      ...Object.fromEntries(
        all.map((operation) => {
          const own = inOrder(operation.parameters.filter((parameter) => !shared.includes(parameter)));
          const written = [...(operation.body ? [bodyOf(operation.body)] : []), ...own.map(parameterOf)];
          return [operation.method, operationV2(operation, written, writer, product)];
        }),
      ),
      ...(shared.length > 0 ? { parameters: shared.map(parameterOf) } : {}),
    },
  ]);
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: release },
    paths: Object.fromEntries(paths),
    definitions: yield* writer.all(typesOf(operations)),
    parameters: Object.fromEntries([...parameters].sort(([a], [b]) => (a < b ? -1 : 1))),
    securityDefinitions: {
      BearerToken: { type: 'apiKey', description: 'A bearer token.', name: 'authorization', in: 'header' },
    },
    security: [{ BearerToken: [] }],
  };
}

function operationV2(operation: Operation, parameters: readonly JsonObject[], writer: DefinitionWriter, product: Product): JsonObject {
  const { tag, id, consumes, produces, responses, action, kind } = operation;
  const prefix = product.names.openApiExtensionPrefix;
  return {
    tags: [tag],
    operationId: id,
    ...(consumes ? { consumes: [...consumes] } : {}),
    produces: [...produces],
    schemes: ['https'],
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: {
      ...Object.fromEntries(
        responses.map(([code, type]) => [code, { description: responseDescription(code), schema: writer.reference(type) }]),
      ),
      401: { description: responseDescription(401) },
    },
    ...(action === undefined ? {} : { [`${prefix}action`]: action }),
    ...(kind ? { [`${prefix}group-version-kind`]: { ...kind } } : {}),
  };
}

function parameterV2({ name, in: where, type, description }: Parameter): JsonObject {
  return { uniqueItems: true, type, description, name, in: where, ...(where === 'path' ? { required: true } : {}) };
}

function bodyV2({ type, required }: Body, writer: DefinitionWriter): JsonObject {
  return { name: 'body', in: 'body', ...(required ? { required } : {}), schema: writer.reference(type) };
}

function sharedOr(parameters: Map<string, JsonObject>, shared: string | undefined, written: JsonObject): JsonObject {
  if (shared === undefined) return written;
  parameters.set(shared, written);
  return { $ref: `#/parameters/${shared}` };
}
