import { type FieldError, forbiddenField, invalid, isJsonObject, type Json, type JsonObject } from '../../../meta/index.ts';
import { readSchemaNode } from '../../structural/schema-node.ts';
import { validateDefaults } from '../../structural/validate-defaults.ts';
import { validateStructural } from '../../structural/validate-structural.ts';
import type { Errors } from '../checks.ts';
import { capitalized } from '../internal/internal-names.ts';
import { validateEmbeddedMetadata } from './embedded-metadata.ts';
import { validateOpenApiSchema } from './open-api-schema.ts';

/** The schema of a custom resource. Cf. upstream validateCustomResourceDefinitionValidation. */
export function validateDefinitionSchema(schema: JsonObject, path: string, hasStatus: boolean, prefix: string): Errors {
  const openApi = validateOpenApiSchema(schema, path, prefix);
  const structural = openApi.some(isNotConvertible(path))
    ? []
    : hasSchemaDialect(schema)
      ? [dialectError(path)]
      : validateStructuralSchema(schema, path, prefix);
  return [
    ...(hasStatus ? validateRootSchema(schema, path, prefix) : []),
    ...(schema['nullable'] === true ? [forbiddenField(`${path}.nullable`, 'nullable cannot be true at the root')] : []),
    ...structural,
    ...openApi,
  ];
}

/** Whether the schema or a nested one has a `$schema`. */
function hasSchemaDialect(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.some(hasSchemaDialect);
  if (!isJsonObject(value)) return false;
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (name === '$schema' && typeof member === 'string' && member !== '') return true;
    if (typeof member !== 'object' || plainMembers.has(name)) continue;
    // Names of properties are not schema members.
    if (name === 'properties' && isJsonObject(member) ? Object.values(member).some(hasSchemaDialect) : hasSchemaDialect(member))
      return true;
  }
  return false;
}

/** Members with plain values instead of schemas. */
const plainMembers: ReadonlySet<string> = new Set(['default', 'example', 'enum']);

function dialectError(path: string): FieldError {
  return invalid(path, '', "OpenAPIV3Schema 'schema' is not supported");
}

/** Errors that prevent the conversion to upstream's structural form; then only OpenAPI rules are reported. */
function isNotConvertible(path: string): (error: FieldError) => boolean {
  const members = /\.(?:id|additionalItems|patternProperties|definitions|dependencies|\$ref|items|x-[a-z]+-preserve-unknown-fields)$/;
  return ({ field, message }) => field.startsWith(path) && members.test(field) && !message.startsWith('Required');
}

function validateStructuralSchema(schema: JsonObject, path: string, prefix: string): Errors {
  const node = readSchemaNode(schema, prefix);
  const structure = validateStructural(node, path, prefix);
  return structure.length > 0 ? structure : validateDefaults(node, path, validateEmbeddedMetadata);
}

const allowedRootFields = [
  'description',
  'type',
  'format',
  'title',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'required',
  'items',
  'properties',
  'externalDocs',
  'example',
];
const allowedExtensions = ['preserve-unknown-fields', 'validations'];

/** With a status subresource, the root schema may only have certain members. */
function validateRootSchema(schema: JsonObject, path: string, prefix: string): Errors {
  const names = [...allowedRootFields, ...allowedExtensions.map((name) => prefix + name)];
  const type = schema['type'];
  if (type !== undefined && type !== 'object') {
    const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalid(`${path}.type`, type, why)];
  }
  const other = Object.keys(schema).find((name) => !names.includes(name) && schema[name] !== undefined);
  if (other === undefined) return [];
  const listed = [
    ...allowedRootFields.map(capitalized),
    ...allowedExtensions.map((name) => `X${name.split('-').map(capitalized).join('')}`),
  ];
  return [
    invalid(path, schema, `only [${listed.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`),
  ];
}
