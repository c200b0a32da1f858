import { type FieldError, forbiddenField, invalid, type JsonObject, required } from '../../../meta/index.ts';
import { type Errors, none } from '../checks.ts';
import { objectAt, objectsAt, optionalRecordAt, recordAt, textAt, textsAt } from '../reading.ts';

/** The schema of a custom kind, as far as its shape goes. Cf. upstream ValidateCustomResourceDefinitionOpenAPISchema. */
export function definitionSchema(schema: JsonObject, path: string): Errors {
  const type = textAt(schema, 'type');
  const root = type === '' ? [required(`${path}.type`, 'must not be empty at the root')] : none;
  const wrongRoot = type === '' || type === 'object' ? none : [invalid(`${path}.type`, type, 'must be object at the root')];
  return [...schemaErrors(schema, path), ...root, ...wrongRoot];
}

function schemaErrors(schema: JsonObject, path: string): Errors {
  return [...ownErrors(schema, path), ...children(schema, path)];
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

function ownErrors(schema: JsonObject, path: string): Errors {
  const type = textAt(schema, 'type');
  const errors: FieldError[] = [];
  if (schema['uniqueItems'] === true) {
    errors.push(forbiddenField(`${path}.uniqueItems`, 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'));
  }
  if ('$ref' in schema && schema['$ref'] !== undefined) errors.push(forbiddenField(`${path}.$ref`, '$ref is not supported'));
  if (type !== '' && !types.includes(type)) {
    const list = types.map((one) => JSON.stringify(one)).join(', ');
    errors.push({
      reason: 'FieldValueNotSupported',
      field: `${path}.type`,
      message: `Unsupported value: ${JSON.stringify(type)}: supported values: ${list}`,
    });
  }
  if (type === 'array' && optionalRecordAt(schema, 'items') === undefined && !Array.isArray(schema['items'])) {
    errors.push(required(`${path}.items`, 'must be specified'));
  }
  if (Array.isArray(schema['items'])) errors.push(forbiddenField(`${path}.items`, 'items must be a schema object and not an array'));
  return [...errors, ...listType(schema, path), ...defaultValue(schema, path)];
}

function listType(schema: JsonObject, path: string): Errors {
  const entry = Object.entries(schema).find(([name]) => /^x-\w+-list-type$/.test(name));
  if (entry?.[1] !== 'map') return none;
  const keysName = entry[0].replace('list-type', 'list-map-keys');
  if (textsAt(schema, keysName).length > 0) return none;
  return [required(`${path}.${keysName}`, `must not be empty if ${entry[0]} is map`)];
}

/** A default must be of the type it stands for. */
function defaultValue(schema: JsonObject, path: string): Errors {
  const value = schema['default'];
  const [type, actual] = [textAt(schema, 'type'), jsonType(value)];
  if (value === undefined || value === null || type === '' || type === actual || (type === 'number' && actual === 'integer')) return none;
  const message = `Invalid value: ${JSON.stringify(actual)}:  in body must be of type ${type}: ${JSON.stringify(actual)}`;
  return [{ reason: 'FieldValueTypeInvalid', field: `${path}.default`, message }];
}

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value;
}

/** Where schemas stand in a schema. */
function children(schema: JsonObject, path: string): Errors {
  const maps = ['properties', 'patternProperties', 'definitions'].flatMap((field) =>
    Object.entries(recordAt(schema, field)).flatMap(([name, one]) => schemaErrors(objectAt(one), `${path}.${field}[${name}]`)),
  );
  const single = ['additionalProperties', 'items', 'not'].flatMap((field) => {
    const one = optionalRecordAt(schema, field);
    return one ? schemaErrors(one, `${path}.${field}`) : none;
  });
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((field) =>
    objectsAt(schema, field).flatMap((one, index) => schemaErrors(one, `${path}.${field}[${index}]`)),
  );
  return [...maps, ...single, ...lists];
}
