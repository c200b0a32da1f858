import { errorMessage } from '../../../env/index.ts';
import {
  collectErrors,
  duplicate,
  type FieldError,
  invalid,
  isDns1035Label,
  isPrintable,
  type JsonObject,
  required,
  tooMany,
} from '../../../meta/index.ts';
import type { apiextensionsv1 } from '../../api/index.ts';
import { type ResolvedField, resolveFieldPath } from '../../structural/resolve-field-path.ts';
import { readSchemaNode, type SchemaNode } from '../../structural/schema-node.ts';
import { isSemanticallyEqual } from '../accessors.ts';
import { type Errors, none } from '../checks.ts';
import type { Decoded } from '../decoded.ts';
import { validateDefinitionSchema } from './definition-schema.ts';

/** Upstream moves fields common to all versions to the top, even with a single version. */
export function isSharedField(versions: readonly Decoded<apiextensionsv1.CustomResourceDefinitionVersion>[], field: SharedField): boolean {
  const known = sharedFields.get(versions) ?? new Map<SharedField, boolean>();
  sharedFields.set(versions, known);
  const is = known.get(field) ?? versions.every((version) => isSemanticallyEqual(version[field], versions[0]?.[field]));
  known.set(field, is);
  return is;
}

export type SharedField = 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields';

/** Cached, since it is needed for every version. */
const sharedFields = new WeakMap<readonly JsonObject[], Map<SharedField, boolean>>();

function schemaOf(version: Decoded<apiextensionsv1.CustomResourceDefinitionVersion> | undefined): JsonObject | undefined {
  return version?.schema?.openAPIV3Schema;
}

export function validateSchemaPresent(version: Decoded<apiextensionsv1.CustomResourceDefinitionVersion>, path: string): Errors {
  return schemaOf(version) ? none : [required(`${path}.schema.openAPIV3Schema`, '')];
}

/** Fields of one version. Cf. upstream validateCustomResourceDefinitionVersion. */
export function validateVersion(
  version: Decoded<apiextensionsv1.CustomResourceDefinitionVersion>,
  path: string,
  versions: readonly Decoded<apiextensionsv1.CustomResourceDefinitionVersion>[],
  prefix: string,
): Errors {
  const wrong = isDns1035Label(version.name ?? '');
  const own = (field: SharedField): boolean => !isSharedField(versions, field);
  const hasStatus = version.subresources?.status !== undefined;
  const schema = schemaOf(version);
  return [
    ...(wrong.length > 0 ? [invalid(`${path}.name`, version.name ?? '', wrong.join(','))] : none),
    ...validateDeprecation(version, `${path}.deprecationWarning`),
    ...(own('schema') && schema ? validateDefinitionSchema(schema, `${path}.schema.openAPIV3Schema`, hasStatus, prefix) : none),
    ...(own('subresources') ? validateScale(version, `${path}.subresources`) : none),
    ...(own('additionalPrinterColumns') ? validateColumns(version, `${path}.additionalPrinterColumns`) : none),
    ...(own('selectableFields')
      ? validateSelectableFields(version, own('schema') ? schema : undefined, `${path}.selectableFields`, prefix, noVersionSchema)
      : none),
  ];
}

/** Fields common to all versions. */
export function validateSharedFields(
  versions: readonly Decoded<apiextensionsv1.CustomResourceDefinitionVersion>[],
  prefix: string,
): Errors {
  const [first] = versions;
  if (!first) return none;
  const isInAll = (field: SharedField): boolean => isSharedField(versions, field);
  const schema = schemaOf(first);
  const hasStatus = versions.some((version) => version.subresources?.status !== undefined);
  return [
    ...(isInAll('schema') && schema ? validateDefinitionSchema(schema, 'spec.validation.openAPIV3Schema', hasStatus, prefix) : none),
    ...(isInAll('subresources') ? validateScale(first, 'spec.subresources') : none),
    ...(isInAll('additionalPrinterColumns') ? validateColumns(first, 'spec.additionalPrinterColumns') : none),
    ...(isInAll('selectableFields')
      ? validateSelectableFields(first, isInAll('schema') ? schema : undefined, 'spec.selectableFields', prefix, noSharedSchema)
      : none),
  ];
}

function validateDeprecation(version: Decoded<apiextensionsv1.CustomResourceDefinitionVersion>, path: string): Errors {
  const warning = version.deprecationWarning;
  if (warning === undefined) return none;
  const wrong = (detail: string): FieldError => invalid(path, warning, detail);
  if (version.deprecated !== true) return [wrong('can only be set for deprecated versions')];
  const unprintable = [...warning].findIndex((character) => !isPrintable(character));
  return [
    ...(warning.length > 256 ? [wrong('must be <= 256 characters long')] : none),
    ...(warning === '' ? [wrong('must not be an empty string')] : none),
    ...(unprintable >= 0
      ? [wrong(`must only contain printable UTF-8 characters; non-printable character found at index ${unprintable}`)]
      : none),
  ];
}

function validateScale(version: Decoded<apiextensionsv1.CustomResourceDefinitionVersion>, path: string): Errors {
  const scale = version.subresources?.scale;
  if (!scale) return none;
  const one = (field: keyof typeof scale, roots: readonly string[], needed: boolean, where: string): Errors => {
    const given = scale[field] ?? '';
    const at = `${path}.scale.${field}`;
    if (given === '') return needed ? [required(at, '')] : none;
    const simple = validateSimplePath(given, at);
    if (simple.length > 0) return simple;
    return roots.some((root) => given.startsWith(`.${root}.`)) ? none : [invalid(at, given, `should be a json path under ${where}`)];
  };
  return [
    ...one('specReplicasPath', ['spec'], true, '.spec'),
    ...one('statusReplicasPath', ['status'], true, '.status'),
    ...one('labelSelectorPath', ['spec', 'status'], false, 'either .spec or .status'),
  ];
}

function validateSimplePath(path: string, field: string): Errors {
  return path.startsWith('.') ? none : [invalid(field, path, 'must be a simple json path starting with .')];
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

function validateColumns(version: Decoded<apiextensionsv1.CustomResourceDefinitionVersion>, path: string): Errors {
  return collectErrors(version.additionalPrinterColumns ?? [], (column, index) => validateColumn(column, `${path}[${index}]`));
}

function validateColumn(column: Decoded<apiextensionsv1.CustomResourceColumnDefinition>, path: string): Errors {
  const [type, format, jsonPath] = [column.type ?? '', column.format ?? '', column.jsonPath ?? ''];
  const types = `must be one of ${columnTypes.join(',')}`;
  return [
    ...((column.name ?? '') === '' ? [required(`${path}.name`, '')] : none),
    ...(type === '' ? [required(`${path}.type`, types)] : columnTypes.includes(type) ? none : [invalid(`${path}.type`, type, types)]),
    ...(format === '' || columnFormats.includes(format)
      ? none
      : [invalid(`${path}.format`, format, `must be one of ${columnFormats.join(',')}`)]),
    ...(jsonPath === '' ? [required(`${path}.JSONPath`, '')] : validateSimplePath(jsonPath, `${path}.JSONPath`)),
  ];
}

const maxSelectable = 8;
const noVersionSchema = 'may only be set when `version.schema.openAPIV3Schema` is not included';
const noSharedSchema = 'may only be set when validations.schema is included';

function validateSelectableFields(
  version: Decoded<apiextensionsv1.CustomResourceDefinitionVersion>,
  schema: JsonObject | undefined,
  path: string,
  prefix: string,
  noSchema: string,
): Errors {
  const fields = version.selectableFields ?? [];
  if (fields.length === 0) return none;
  if (!schema) return [invalid(path, '', noSchema)];
  const node = readSchemaNode(schema, prefix);
  const seen = new Set<string>();
  const errors = fields.flatMap((field, index) => validateSelectableField(field.jsonPath ?? '', `${path}[${index}].jsonPath`, node, seen));
  return seen.size > maxSelectable ? [...errors, tooMany(path, seen.size, maxSelectable)] : errors;
}

function validateSelectableField(given: string, path: string, node: SchemaNode, seen: Set<string>): Errors {
  if (given === '') return [required(path, '')];
  let found: ResolvedField;
  try {
    found = resolveFieldPath(given, node, false);
  } catch (error) {
    return [invalid(path, given, `is an invalid path: ${errorMessage(error)}`)];
  }
  const isPlain = ['string', 'boolean', 'integer'].includes(found.node?.type ?? '');
  const again = seen.has(found.path);
  seen.add(found.path);
  return [
    ...(found.root === 'metadata' ? [invalid(path, given, 'must not point to fields in metadata')] : none),
    ...(isPlain
      ? none
      : [
          invalid(
            path,
            given,
            'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
          ),
        ]),
    ...(again ? [duplicate(path, given)] : none),
  ];
}
