import { ProtoWriter } from '../../codec/index.ts';
import { isJsonObject, type JsonObject, recordAt } from '../../meta/index.ts';
import {
  any,
  bool,
  double,
  encodeEntries,
  integer,
  type MessageFields,
  map,
  message,
  repeated,
  string,
  type WriteField,
  wrapped,
} from './gnostic-fields.ts';

/**
 * Encodes a document of version 3 as gnostic's protobuf message `openapi.v3.Document`. Field names and numbers are those of gnostic's
 * openapiv3/OpenAPIv3.proto; only members that our documents use are supported.
 */
export function* encodeGnosticV3(document: JsonObject): Generator<void, Uint8Array> {
  const writer = new ProtoWriter();
  string(writer, 1, document['openapi']);
  message(() => ({ title: [1, string], version: [6, string] }))(writer, 2, document['info']);
  writer.bytes(4, yield* encodeEntries(document['paths'], [1, pathItem]));
  const { schemas, securitySchemes } = recordAt(document, 'components');
  const components = new ProtoWriter();
  if (schemas !== undefined) components.bytes(1, yield* encodeEntries(schemas, [1, schemaOrReference]));
  if (securitySchemes !== undefined) map(1, orReference(message(() => securitySchemeFields)))(components, 7, securitySchemes);
  writer.bytes(5, components.finish());
  return writer.finish();
}

/** A message that holds a value or a reference. */
function orReference(write: WriteField): WriteField {
  const reference = message(() => ({ $ref: [1, string], description: [3, string] }));
  return (writer, number, value) =>
    (isJsonObject(value) && value['$ref'] !== undefined ? wrapped(2, reference) : wrapped(1, write))(writer, number, value);
}

const schema: WriteField = message(() => schemaFields, 36);
const schemaOrReference: WriteField = orReference(schema);

/** Defaults of other types are empty messages. */
const defaultValue: WriteField = (writer, number, value) =>
  writer.message(number, () => {
    if (typeof value === 'number') double(writer, 1, value);
    if (typeof value === 'boolean') bool(writer, 2, value);
    if (typeof value === 'string') string(writer, 3, value);
  });

const schemaFields: MessageFields = {
  nullable: [1, bool],
  title: [9, string],
  multipleOf: [10, double],
  maximum: [11, double],
  exclusiveMaximum: [12, bool],
  minimum: [13, double],
  exclusiveMinimum: [14, bool],
  maxLength: [15, integer],
  minLength: [16, integer],
  pattern: [17, string],
  maxItems: [18, integer],
  minItems: [19, integer],
  uniqueItems: [20, bool],
  maxProperties: [21, integer],
  minProperties: [22, integer],
  required: [23, repeated(string)],
  enum: [24, repeated(any)],
  type: [25, string],
  allOf: [26, repeated(schemaOrReference)],
  oneOf: [27, repeated(schemaOrReference)],
  anyOf: [28, repeated(schemaOrReference)],
  not: [29, schema],
  items: [30, wrapped(1, schemaOrReference)],
  properties: [31, map(1, schemaOrReference)],
  additionalProperties: [
    32,
    (writer, number, value) => (typeof value === 'boolean' ? wrapped(2, bool) : wrapped(1, schemaOrReference))(writer, number, value),
  ],
  default: [33, defaultValue],
  description: [34, string],
  format: [35, string],
};

const parameterFields: MessageFields = {
  name: [1, string],
  in: [2, string],
  description: [3, string],
  required: [4, bool],
  schema: [10, schemaOrReference],
};
const parameters: WriteField = repeated(orReference(message(() => parameterFields)));

const content: WriteField = map(
  1,
  message(() => ({ schema: [1, schemaOrReference] })),
);

const operationFields: MessageFields = {
  tags: [1, repeated(string)],
  operationId: [5, string],
  parameters: [6, parameters],
  requestBody: [7, orReference(message(() => ({ content: [2, content], required: [3, bool] })))],
  responses: [8, map(2, orReference(message(() => ({ description: [1, string], content: [3, content] }))))],
};
const operation: WriteField = message(() => operationFields, 13);

const pathItem: WriteField = message(() => ({
  get: [4, operation],
  put: [5, operation],
  post: [6, operation],
  delete: [7, operation],
  options: [8, operation],
  head: [9, operation],
  patch: [10, operation],
  parameters: [13, parameters],
}));

const securitySchemeFields: MessageFields = { type: [1, string], description: [2, string], name: [3, string], in: [4, string] };
