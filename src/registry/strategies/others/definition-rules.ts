import { checkRules, environments, readSchema, type SchemaNode } from '../../../cel/index.ts';
import {
  type ApiObject,
  type FieldError,
  type JsonObject,
  objectsAt,
  type Product,
  recordAt,
  sameJson,
  textAt,
} from '../../../meta/index.ts';

/**
 * What is wrong with the rules that a definition states in expressions. `before` is what else is wrong: where a schema is no schema, its
 * rules are not looked at. Cf. upstream apiextensions-apiserver validation.
 */
export function definitionRuleErrors(
  definition: ApiObject,
  old: ApiObject | undefined,
  before: readonly FieldError[],
  product: Product,
): readonly FieldError[] {
  const prefix = product.names.openApiExtensionPrefix;
  const stored = new Set(old ? schemasOf(old).flatMap(({ schema }) => expressionsOf(readSchema(schema, prefix))) : []);
  const options = {
    prefix,
    environments: environments(),
    ageOf: (expression: string) => (stored.has(expression) ? ('stored' as const) : ('new' as const)),
    isBroken: (path: string) => before.some(({ field }) => field.startsWith(path)),
  };
  const isUnchanged = ({ name, schema }: VersionSchema) =>
    old !== undefined && schemasOf(old).some((one) => one.name === name && sameJson(one.schema, schema));
  return shown(schemasOf(definition)).flatMap((version) =>
    checkRules(readSchema(version.schema, prefix), version.path, { ...options, unchanged: isUnchanged(version) }),
  );
}

interface VersionSchema {
  readonly name: string;
  readonly path: string;
  readonly schema: JsonObject;
}

function schemasOf(definition: ApiObject): readonly VersionSchema[] {
  return objectsAt(recordAt(definition, 'spec'), 'versions').map((version, i) => ({
    name: textAt(version, 'name'),
    path: `spec.versions[${i}].schema.openAPIV3Schema`,
    schema: recordAt(recordAt(version, 'schema'), 'openAPIV3Schema'),
  }));
}

/** What all versions share stands at the top in the real server's own form, also when there is only one. */
function shown(versions: readonly VersionSchema[]): readonly VersionSchema[] {
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
