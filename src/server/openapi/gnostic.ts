import { ProtoWriter } from '../../codec/index.ts';
import { isJsonObject, type JsonObject } from '../../meta/index.ts';
import {
  any,
  bool,
  double,
  encodeEntries,
  integer,
  type MapEntries,
  type MessageFields,
  map,
  message,
  repeated,
  string,
  type WriteField,
  wrapped,
} from './gnostic-fields.ts';

/**
 * Encodes a document of version 2 as gnostic's protobuf message `openapi.v2.Document`, which older clients request.
 * Field names and numbers are those of gnostic's openapiv2/OpenAPIv2.proto; only members that our documents use are supported.
 */
export function* encodeGnostic(document: JsonObject): Generator<void, Uint8Array> {
  const writer = new ProtoWriter();
  for (const [name, [number, write]] of Object.entries(documentFields)) {
    const value = document[name];
    const entries = largeMaps[name];
    if (value === undefined) continue;
    if (entries) writer.bytes(number, yield* encodeEntries(value, entries));
    else write(writer, number, value);
  }
  return writer.finish();
}

const schema: WriteField = message(() => schemaFields, 31);

const schemaFields: MessageFields = {
  $ref: [1, string],
  format: [2, string],
  title: [3, string],
  description: [4, string],
  default: [5, any],
  multipleOf: [6, double],
  maximum: [7, double],
  exclusiveMaximum: [8, bool],
  minimum: [9, double],
  exclusiveMinimum: [10, bool],
  maxLength: [11, integer],
  minLength: [12, integer],
  pattern: [13, string],
  maxItems: [14, integer],
  minItems: [15, integer],
  uniqueItems: [16, bool],
  maxProperties: [17, integer],
  minProperties: [18, integer],
  required: [19, repeated(string)],
  enum: [20, repeated(any)],
  additionalProperties: [
    21,
    (writer, number, value) => (typeof value === 'boolean' ? wrapped(2, bool) : wrapped(1, schema))(writer, number, value),
  ],
  type: [22, wrapped(1, repeated(string))],
  items: [23, wrapped(1, repeated(schema))],
  allOf: [24, repeated(schema)],
  properties: [25, map(1, schema)],
  readOnly: [27, bool],
  example: [30, any],
};

const bodyFields: MessageFields = {
  description: [1, string],
  name: [2, string],
  in: [3, string],
  required: [4, bool],
  schema: [5, schema],
};
const common: MessageFields = { required: [1, bool], in: [2, string], description: [3, string], name: [4, string] };
const queryFields: MessageFields = { ...common, type: [6, string], uniqueItems: [20, bool] };
const pathFields: MessageFields = { ...common, type: [5, string], uniqueItems: [19, bool] };

/** Body, path and query parameters are messages of their own. */
const parameter: WriteField = (writer, number, value) => {
  const where = isJsonObject(value) ? value['in'] : undefined;
  const body = wrapped(
    1,
    message(() => bodyFields),
  );
  const path = wrapped(
    2,
    wrapped(
      4,
      message(() => pathFields),
    ),
  );
  const query = wrapped(
    2,
    wrapped(
      3,
      message(() => queryFields),
    ),
  );
  (where === 'body' ? body : where === 'path' ? path : query)(writer, number, value);
};

const parameterOrReference: WriteField = (writer, number, value) => {
  const isReference = isJsonObject(value) && value['$ref'] !== undefined;
  const reference = message(() => ({ $ref: [1, string] }));
  (isReference ? wrapped(2, reference) : wrapped(1, parameter))(writer, number, value);
};

const responseFields: MessageFields = { description: [1, string], schema: [2, wrapped(1, schema)] };

const operationFields: MessageFields = {
  tags: [1, repeated(string)],
  summary: [2, string],
  description: [3, string],
  operationId: [5, string],
  produces: [6, repeated(string)],
  consumes: [7, repeated(string)],
  parameters: [8, repeated(parameterOrReference)],
  responses: [
    9,
    map(
      1,
      wrapped(
        1,
        message(() => responseFields),
      ),
    ),
  ],
  schemes: [10, repeated(string)],
};

const operation: WriteField = message(() => operationFields, 13);

const pathItemFields: MessageFields = {
  get: [2, operation],
  put: [3, operation],
  post: [4, operation],
  delete: [5, operation],
  options: [6, operation],
  head: [7, operation],
  patch: [8, operation],
  parameters: [9, repeated(parameterOrReference)],
};

const apiKeyFields: MessageFields = { type: [1, string], name: [2, string], in: [3, string], description: [4, string] };

/** The members of a document that may be large. */
const [paths, definitions]: readonly [MapEntries, MapEntries] = [
  [2, message(() => pathItemFields)],
  [1, schema],
];
const largeMaps: Readonly<Record<string, MapEntries>> = { paths, definitions };

const documentFields: MessageFields = {
  swagger: [1, string],
  info: [2, message(() => ({ title: [1, string], version: [2, string] }))],
  paths: [8, map(...paths)],
  definitions: [9, map(...definitions)],
  parameters: [10, map(1, parameter)],
  security: [12, repeated(map(1, wrapped(1, repeated(string))))],
  securityDefinitions: [
    13,
    map(
      1,
      wrapped(
        2,
        message(() => apiKeyFields),
      ),
    ),
  ],
};
