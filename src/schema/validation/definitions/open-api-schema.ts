import {
  collectErrors,
  type FieldError,
  forbiddenField,
  invalid,
  isJsonObject,
  type Json,
  type JsonObject,
  notListed,
  notSupported,
  required,
} from '../../../meta/index.ts';
import { resolveFieldPath } from '../../structural/resolve-field-path.ts';
import { readSchemaNode } from '../../structural/schema-node.ts';
import { joinPath, objectAt, objectsAt, optionalRecordAt, optionalTextAt, recordAt, textAt } from '../accessors.ts';
import { type Errors, none } from '../checks.ts';
import { validateListTypeRules } from './list-type-rules.ts';

/** The position in a schema, and its restrictions. */
interface SchemaPosition {
  /** Why a default is forbidden here; undefined where it is allowed. */
  readonly noDefault: string | undefined;
  /** Inside of type or object metadata, of the root or of an embedded object. */
  readonly inMeta: boolean;
}

/** OpenAPI rules of a schema, structural or not. Cf. upstream ValidateCustomResourceDefinitionOpenAPISchema. */
export function validateOpenApiSchema(schema: JsonObject, path: string, prefix: string): Errors {
  return new OpenApiValidator(prefix).schema(schema, path, { noDefault: undefined, inMeta: false }, true);
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const metaMembers: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

/** Members without rules here. */
const unrestricted: ReadonlySet<string> = new Set([
  'description',
  'enum',
  'example',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'nullable',
  'pattern',
  'required',
  'title',
]);

/** Fast path: most schemas have a type and nothing else to validate. */
function isUnrestricted(schema: JsonObject): boolean {
  if (!types.includes(textAt(schema, 'type'))) return false;
  for (const name of Object.keys(schema)) if (name !== 'type' && !unrestricted.has(name)) return false;
  return true;
}

class OpenApiValidator {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  schema(schema: JsonObject, path: string, place: SchemaPosition, isRoot = false): Errors {
    if (isUnrestricted(schema)) return none;
    const x = (name: string): Json | undefined => schema[this.#prefix + name];
    return [
      ...this.#standard(schema, path, place),
      ...(schema['uniqueItems'] === true
        ? [forbiddenField(`${path}.uniqueItems`, 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic')]
        : none),
      ...this.#additional(schema, path, place),
      ...collectErrors(Object.entries(recordAt(schema, 'properties')), ([name, one]) =>
        this.schema(objectAt(one), `${path}.properties[${name}]`, positionOf(name, place, isRoot, x('embedded-resource') === true)),
      ),
      ...this.#combined(schema, path, place),
      ...this.#items(schema, path, place),
      ...(x('preserve-unknown-fields') === false
        ? [invalid(`${path}.${this.#prefix}preserve-unknown-fields`, false, 'must be true or undefined')]
        : none),
      ...this.#mapType(schema, path, optionalTextAt(schema, `${this.#prefix}map-type`)),
      ...validateListTypeRules(schema, path, this.#prefix),
      ...collectErrors(objectsAt(schema, `${this.#prefix}validations`), (rule, index) =>
        this.#rule(rule, schema, `${path}.${this.#prefix}validations[${index}]`),
      ),
    ];
  }

  #standard(schema: JsonObject, path: string, { noDefault, inMeta }: SchemaPosition): Errors {
    const type = textAt(schema, 'type');
    const errors: FieldError[] = [];
    if (type !== '' && !types.includes(type)) errors.push(notSupported(`${path}.type`, type, types));
    if (noDefault !== undefined && isSet(schema['default'])) errors.push(forbiddenField(`${path}.default`, `must not be set ${noDefault}`));
    if (textAt(schema, 'id') !== '') errors.push(forbiddenField(`${path}.id`, 'id is not supported'));
    for (const member of ['additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref']) {
      const value = schema[member];
      // Two of the members are counted, the others must be absent.
      const isEmpty =
        isJsonObject(value) && Object.keys(value).length === 0 && (member === 'patternProperties' || member === 'definitions');
      if (isSet(value) && !isEmpty) errors.push(forbiddenField(`${path}.${member}`, `${member} is not supported`));
    }
    if (type === 'null') errors.push(forbiddenField(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
    if (Array.isArray(schema['items'])) errors.push(forbiddenField(`${path}.items`, 'items must be a schema object and not an array'));
    if (inMeta && schema[`${this.#prefix}embedded-resource`] === true) {
      errors.push(forbiddenField(`${path}.${this.#prefix}embedded-resource`, 'must not be used inside of resource meta'));
    }
    return errors;
  }

  #additional(schema: JsonObject, path: string, place: SchemaPosition): Errors {
    const additional = schema['additionalProperties'];
    if (!isSet(additional)) return none;
    const clash = Object.keys(recordAt(schema, 'properties')).length > 0 && additional !== true;
    const inside = place.inMeta ? { ...place, noDefault: 'inside additionalProperties applying to object metadata' } : place;
    return [
      ...(clash ? [forbiddenField(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive')] : none),
      ...(isJsonObject(additional) ? this.schema(additional, `${path}.additionalProperties`, inside) : none),
    ];
  }

  #combined(schema: JsonObject, path: string, place: SchemaPosition): Errors {
    const not = optionalRecordAt(schema, 'not');
    return [
      ...(not ? this.schema(not, `${path}.not`, place) : none),
      ...['allOf', 'oneOf', 'anyOf'].flatMap((name) =>
        collectErrors(objectsAt(schema, name), (one, index) => this.schema(one, `${path}.${name}[${index}]`, place)),
      ),
      ...collectErrors(Object.entries(recordAt(schema, 'definitions')), ([name, one]) =>
        this.schema(objectAt(one), `${path}.definitions[${name}]`, place),
      ),
    ];
  }

  #items(schema: JsonObject, path: string, place: SchemaPosition): Errors {
    const { items } = schema;
    if (Array.isArray(items)) {
      return collectErrors(items, (one: Json, index) => this.schema(objectAt(one), `${path}.items[${index}]`, place));
    }
    return isJsonObject(items) ? this.schema(items, `${path}.items`, place) : none;
  }

  #mapType(schema: JsonObject, path: string, mapType: string | undefined): Errors {
    if (mapType === undefined) return none;
    const type = textAt(schema, 'type');
    const why = `must be object if ${this.#prefix}map-type is specified`;
    return [
      ...(type === 'object' ? none : type === '' ? [required(`${path}.type`, why)] : [invalid(`${path}.type`, type, why)]),
      ...(mapType === 'atomic' || mapType === 'granular'
        ? none
        : [notListed(`${path}.${this.#prefix}map-type`, mapType, ['atomic', 'granular'])]),
    ];
  }

  /** The form of a rule; CEL expressions are compiled elsewhere. */
  #rule(rule: JsonObject, schema: JsonObject, path: string): Errors {
    const [text, message] = [textAt(rule, 'rule').trim(), textAt(rule, 'message')];
    const [expression, fieldPath] = [textAt(rule, 'messageExpression'), textAt(rule, 'fieldPath')];
    const reason = optionalTextAt(rule, 'reason');
    const errors: FieldError[] = [];
    if (text === '') errors.push(required(joinPath(path, 'rule'), 'rule is not specified'));
    else if (message !== '' && message.trim() === '')
      errors.push(invalid(joinPath(path, 'message'), message, 'must be non-empty if specified'));
    else if (hasLineBreaks(message.trim())) errors.push(invalid(joinPath(path, 'message'), message, 'must not contain line breaks'));
    else if (hasLineBreaks(text) && message.trim() === '') {
      errors.push(required(joinPath(path, 'message'), 'message must be specified if rule contains line breaks'));
    }
    if (expression !== '' && expression.trim() === '') {
      errors.push(required(joinPath(path, 'messageExpression'), 'messageExpression must be non-empty if specified'));
    }
    if (reason !== undefined && !ruleReasons.includes(reason)) errors.push(notSupported(joinPath(path, 'reason'), reason, ruleReasons));
    if (fieldPath === '') return errors;
    if (fieldPath.trim() === '') errors.push(invalid(joinPath(path, 'fieldPath'), fieldPath, 'must be non-empty if specified'));
    if (hasLineBreaks(fieldPath)) errors.push(invalid(joinPath(path, 'fieldPath'), fieldPath, 'must not contain line breaks'));
    if (!isResolvable(fieldPath, schema, this.#prefix))
      errors.push(invalid(joinPath(path, 'fieldPath'), fieldPath, 'must be a valid path'));
    return errors;
  }
}

const ruleReasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

function isSet(value: Json | undefined): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

function hasLineBreaks(text: string): boolean {
  return /[\n\r]/.test(text);
}

function isResolvable(fieldPath: string, schema: JsonObject, prefix: string): boolean {
  try {
    resolveFieldPath(fieldPath, readSchemaNode(schema, prefix), true);
    return true;
  } catch {
    // The reason is not reported.
    return false;
  }
}

function positionOf(property: string, place: SchemaPosition, isRoot: boolean, embedded: boolean): SchemaPosition {
  if (!(isRoot || embedded) || !metaMembers.has(property)) return place;
  return { inMeta: true, noDefault: isRoot ? `in top-level ${property}` : place.noDefault };
}
