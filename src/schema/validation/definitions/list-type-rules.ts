import {
  collectErrors,
  forbiddenField,
  invalid,
  isJsonObject,
  type JsonObject,
  notListed,
  repeatedIndexes,
  required,
} from '../../../meta/index.ts';
import { optionalRecordAt, optionalTextAt, recordAt, textAt, textsAt } from '../accessors.ts';
import { type Errors, none } from '../checks.ts';

/** Rules for list-type and list-map-keys. */
export function validateListTypeRules(schema: JsonObject, path: string, prefix: string): Errors {
  const listType = optionalTextAt(schema, `${prefix}list-type`);
  const keys = textsAt(schema, `${prefix}list-map-keys`);
  const [x, itemX] = [`${path}.${prefix}`, `${path}.items.${prefix}`];
  const items = optionalRecordAt(schema, 'items');
  return [
    ...(listType === undefined ? none : validateArrayType(schema, listType, path, prefix, itemX)),
    ...(listType === undefined || ['atomic', 'set', 'map'].includes(listType)
      ? none
      : [notListed(`${x}list-type`, listType, ['atomic', 'set', 'map'])]),
    ...(keys.length > 0 && listType === undefined
      ? [required(`${x}list-type`, `must be map if ${prefix}list-map-keys is non-empty`)]
      : keys.length > 0 && listType !== 'map'
        ? [invalid(`${x}list-type`, listType, `must be map if ${prefix}list-map-keys is non-empty`)]
        : none),
    ...(listType === 'map' ? validateMapKey(schema, keys, path, prefix) : none),
    ...(items && (listType === 'set' || listType === 'map') ? validateNullable(items, listType, keys, path, prefix) : none),
  ];
}

function validateArrayType(schema: JsonObject, listType: string, path: string, prefix: string, itemX: string): Errors {
  const type = textAt(schema, 'type');
  const why = `must be array if ${prefix}list-type is specified`;
  if (type === '') return [required(`${path}.type`, why)];
  if (type !== 'array') return [invalid(`${path}.type`, type, why)];
  const items = recordAt(schema, 'items');
  if (listType !== 'set') return none;
  const must = `must be atomic as item of a list with ${prefix}list-type=set`;
  const itemList = optionalTextAt(items, `${prefix}list-type`);
  if (textAt(items, 'type') === 'array' && itemList !== undefined && itemList !== 'atomic') {
    return [invalid(`${itemX}list-type`, itemList, must)];
  }
  // The real server shows the list type here, although the map type is wrong.
  const isLoose = textAt(items, 'type') === 'object' && textAt(items, `${prefix}map-type`) !== 'atomic';
  return isLoose ? [invalid(`${itemX}map-type`, itemList, must)] : none;
}

function validateMapKey(schema: JsonObject, keys: readonly string[], path: string, prefix: string): Errors {
  const { items } = schema;
  const keysAt = `${path}.${prefix}list-map-keys`;
  const [isMap, parentIsMap] = [`if ${prefix}list-type is map`, `if parent array's ${prefix}list-type is map`];
  const needed = keys.length === 0 ? [required(keysAt, `must not be empty ${isMap}`)] : none;
  if (items === undefined) return [...needed, required(`${path}.items`, `must have a schema ${isMap}`)];
  if (!isJsonObject(items)) return [...needed, invalid(`${path}.items`, items, `must only have a single schema ${isMap}`)];
  const type = textAt(items, 'type');
  if (type !== 'object') return [...needed, invalid(`${path}.items.type`, type, `must be object ${parentIsMap}`)];
  const properties = recordAt(items, 'properties');
  const repeated = repeatedIndexes(keys);
  return [
    ...needed,
    ...collectErrors(keys, (key, index) => {
      const property = optionalRecordAt(properties, key);
      const again = repeated.has(index) ? [invalid(keysAt, keys, 'must not contain duplicate entries')] : none;
      if (!property) return [invalid(keysAt, keys, 'entries must all be names of item properties'), ...again];
      const isScalar = !['array', 'object'].includes(textAt(property, 'type'));
      const scalar = isScalar ? none : [invalid(`${path}.items.properties[${key}].type`, type, `must be a scalar type ${parentIsMap}`)];
      return [...scalar, ...again];
    }),
  ];
}

/** Neither items nor their keys may be nullable. */
function validateNullable(items: JsonObject, listType: string, keys: readonly string[], path: string, prefix: string): Errors {
  const nullable =
    items['nullable'] === true
      ? [forbiddenField(`${path}.items.nullable`, `cannot be nullable when ${prefix}list-type is ${listType}`)]
      : none;
  if (listType === 'set') return nullable;
  const mustHave = new Set(textsAt(items, 'required'));
  const inKeys = `this property is in ${prefix}list-map-keys, so it`;
  return [
    ...nullable,
    ...collectErrors(keys, (key) => {
      const property = optionalRecordAt(recordAt(items, 'properties'), key);
      const at = `${path}.items.properties[${key}]`;
      if (!property) return none;
      const isGiven = mustHave.has(key) || (property['default'] ?? null) !== null;
      return [
        ...(isGiven ? none : [required(`${at}.default`, `${inKeys} must have a default or be a required property`)]),
        ...(property['nullable'] === true ? [forbiddenField(`${at}.nullable`, `${inKeys} cannot be nullable`)] : none),
      ];
    }),
  ];
}
