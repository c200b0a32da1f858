import { checkDefaults, checkRules, environments, readSchema, type SchemaNode } from '../../../cel/index.ts';
import type { Pace } from '../../../env/index.ts';
import { type ApiObject, type FieldError, type JsonObject, sameJson } from '../../../meta/index.ts';
import type { apiextensionsv1 } from '../../../schema/api/index.ts';
import { type Decoded, readSchemaNode, validateStructural } from '../../../schema/index.ts';
import type { StrategyContext } from '../../strategy.ts';

type DefinitionContext = Pick<StrategyContext, 'product' | 'ruleTimer'>;

/** All errors of a definition; those of a schema's rules follow those of the schema itself. */
export async function definitionErrors(
  definition: ApiObject,
  old: ApiObject | undefined,
  before: readonly FieldError[],
  context: DefinitionContext,
  pace: Pace,
): Promise<readonly FieldError[]> {
  const ruleErrors = await definitionRuleErrors(definition, old, before, context, pace);
  if (ruleErrors.length === 0) return before;
  // Rules are in the order of versions, so an error that comes after one rule's comes after those of all earlier ones.
  const merged: FieldError[] = [];
  let next = 0;
  for (const error of ruleErrors) {
    for (let other = before[next]; other && !comesAfter(other, error); other = before[next]) {
      merged.push(other);
      next++;
    }
    merged.push(error);
  }
  return [...merged, ...before.slice(next)];
}

/** Fields that upstream validates after the schemas of all versions. */
const fieldsAfterSchemas =
  /^(?:spec\.(?:subresources|additionalPrinterColumns|selectableFields|conversion|preserveUnknownFields)|status\.)/;
/** Fields that upstream validates before a schema that all versions share, but after those of single versions. */
const fieldsBeforeSharedSchema = /^spec\.(?:versions$|version$|names\.)/;

/** Whether upstream reports an error after that of a rule in a schema. Cf. upstream validateCustomResourceDefinitionSpec. */
function comesAfter({ field, message }: FieldError, { field: ruleField }: FieldError): boolean {
  const isApproval = field.startsWith('metadata.annotations[');
  if (fieldsAfterSchemas.test(field) || isApproval || message.endsWith(': field is immutable')) return true;
  const own = versionOf(ruleField);
  if (own === undefined) return false;
  if (fieldsBeforeSharedSchema.test(field) || field.startsWith('spec.validation.')) return true;
  const other = versionOf(field);
  // A missing schema is reported before any schema is validated.
  const isMissing = field.endsWith('.schema.openAPIV3Schema') && message.startsWith('Required');
  if (other === undefined || isMissing) return false;
  return other > own || (other === own && /\]\.(?:subresources|additionalPrinterColumns|selectableFields)/.test(field));
}

function versionOf(field: string): number | undefined {
  const index = /^spec\.versions\[(\d+)\]/.exec(field)?.[1];
  return index === undefined ? undefined : Number(index);
}

/**
 * Errors of a definition's validation rules, and of its defaults by these rules. `before` are the other errors: rules are not checked in
 * a schema that is not structural or has invalid defaults, or where it is invalid. Cf. upstream validateCustomResourceDefinitionValidation.
 */
export async function definitionRuleErrors(
  definition: ApiObject,
  old: ApiObject | undefined,
  before: readonly FieldError[],
  { product, ruleTimer }: DefinitionContext,
  pace: Pace,
): Promise<readonly FieldError[]> {
  const prefix = product.names.openApiExtensionPrefix;
  const stored = new Set(old ? schemasOf(old).flatMap(({ schema }) => expressionsOf(readSchema(schema, prefix))) : []);
  const options = {
    prefix,
    environments: environments(),
    environmentTypeOf: (expression: string) => (stored.has(expression) ? ('stored' as const) : ('new' as const)),
    timer: ruleTimer,
    isBroken: (path: string) => before.some(({ field }) => field.startsWith(path)),
  };
  // Unknown fields of a default do not prevent the check of its rules.
  const hasInvalidValue = (path: string): boolean =>
    before.some(({ field, message }) => field.startsWith(path) && !message.endsWith(': must not have unknown fields'));
  // Version names of a stored definition are unique.
  const oldSchemas = new Map(old ? schemasOf(old).map(({ name, schema }) => [name, schema]) : []);
  const isUnchanged = ({ name, schema }: VersionSchema) => oldSchemas.has(name) && sameJson(oldSchemas.get(name), schema);
  const hasRules = ({ schema }: VersionSchema) => readSchemaNode(schema, prefix).contains.rules;
  const errors: FieldError[] = [];
  for (const version of atSharedPath(schemasOf(definition)).filter(hasRules)) {
    const { path } = version;
    if (before.length > 0 && validateStructural(readSchemaNode(version.schema, prefix), path, prefix).length > 0) continue;
    const schema = readSchema(version.schema, prefix);
    const defaultErrors = await checkDefaults(schema, path, options.environments, hasInvalidValue, pace);
    errors.push(...defaultErrors);
    if (defaultErrors.length > 0 || before.some(isDefaultError(path))) continue;
    errors.push(...(await checkRules(schema, path, { ...options, unchanged: isUnchanged(version) }, pace)));
  }
  return errors;
}

/** Whether an error is about a default in a schema. Names of properties are in brackets. */
function isDefaultError(schemaPath: string): (error: FieldError) => boolean {
  return ({ field }) => field.startsWith(schemaPath) && /\.default(?:[.[]|$)/.test(field.slice(schemaPath.length));
}

interface VersionSchema {
  readonly name: string;
  readonly path: string;
  readonly schema: JsonObject;
}

function schemasOf({ spec }: Decoded<apiextensionsv1.CustomResourceDefinition>): readonly VersionSchema[] {
  return (spec?.versions ?? []).map(({ name = '', schema }, i) => ({
    name,
    path: `spec.versions[${i}].schema.openAPIV3Schema`,
    schema: schema?.openAPIV3Schema ?? {},
  }));
}

/** In upstream's internal version a schema that all versions share is at the top, also when there is only one version. */
function atSharedPath(versions: readonly VersionSchema[]): readonly VersionSchema[] {
  const [first] = versions;
  const isShared = first !== undefined && versions.every(({ schema }) => sameJson(schema, first.schema));
  return isShared ? [{ ...first, path: 'spec.validation.openAPIV3Schema' }] : versions;
}

function expressionsOf(schema: SchemaNode): readonly string[] {
  const { items, additionalProperties, properties = {} } = schema;
  const own = (schema['x-kubernetes-validations'] ?? []).flatMap(({ rule, messageExpression }) => [rule, messageExpression ?? '']);
  const below = [items, additionalProperties, ...Object.values(properties)];
  return [...own, ...below.flatMap((one) => (typeof one === 'object' ? expressionsOf(one) : []))];
}
