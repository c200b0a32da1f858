import { type FieldError, forbiddenField, invalid, isJsonObject, type Json, type JsonObject } from '../../../meta/index.ts';
import { defaultErrors } from '../../structural/default-rules.ts';
import { readSchemaNode } from '../../structural/schema-node.ts';
import { structureErrors } from '../../structural/structure.ts';
import type { Errors } from '../checks.ts';
import { capitalized } from '../internal/internal-names.ts';
import { validateEmbeddedMetadata } from './embedded-metadata.ts';
import { openApiErrors } from './open-api-schema.ts';

/** The schema of a custom kind. Cf. upstream validateCustomResourceDefinitionValidation. */
export function definitionSchema(schema: JsonObject, path: string, hasStatus: boolean, prefix: string): Errors {
  const openApi = openApiErrors(schema, path, prefix);
  const structural = openApi.some(isUnreadable(path))
    ? []
    : namesDialect(schema)
      ? [noDialect(path)]
      : structuralErrors(schema, path, prefix);
  return [
    ...(hasStatus ? atRoot(schema, path, prefix) : []),
    ...(schema['nullable'] === true ? [forbiddenField(`${path}.nullable`, 'nullable cannot be true at the root')] : []),
    ...structural,
    ...openApi,
  ];
}

/** Of the schema itself or of one inside it. */
function namesDialect(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.some(namesDialect);
  if (!isJsonObject(value)) return false;
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (name === '$schema' && typeof member === 'string' && member !== '') return true;
    if (typeof member !== 'object' || plainMembers.has(name)) continue;
    // Names of properties are no members of a schema.
    if (name === 'properties' && isJsonObject(member) ? Object.values(member).some(namesDialect) : namesDialect(member)) return true;
  }
  return false;
}

/** Values rather than schemas. */
const plainMembers: ReadonlySet<string> = new Set(['default', 'example', 'enum']);

function noDialect(path: string): FieldError {
  return invalid(path, '', "OpenAPIV3Schema 'schema' is not supported");
}

/** What upstream cannot bring into its structural form at all; then only OpenAPI's own rules are told. */
function isUnreadable(path: string): (error: FieldError) => boolean {
  const members = /\.(?:id|additionalItems|patternProperties|definitions|dependencies|\$ref|items|x-[a-z]+-preserve-unknown-fields)$/;
  return ({ field, message }) => field.startsWith(path) && members.test(field) && !message.startsWith('Required');
}

function structuralErrors(schema: JsonObject, path: string, prefix: string): Errors {
  const node = readSchemaNode(schema, prefix);
  const structure = structureErrors(node, path, prefix);
  return structure.length > 0 ? structure : defaultErrors(node, path, validateEmbeddedMetadata);
}

const allowed = [
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

/** With a status of its own, validation of that part must be no less than that of the whole. */
function atRoot(schema: JsonObject, path: string, prefix: string): Errors {
  const names = [...allowed, ...allowedExtensions.map((name) => prefix + name)];
  const type = schema['type'];
  if (type !== undefined && type !== 'object') {
    const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalid(`${path}.type`, type, why)];
  }
  const other = Object.keys(schema).find((name) => !names.includes(name) && schema[name] !== undefined);
  if (other === undefined) return [];
  const listed = [...allowed.map(capitalized), ...allowedExtensions.map((name) => `X${name.split('-').map(capitalized).join('')}`)];
  return [
    invalid(path, schema, `only [${listed.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`),
  ];
}
