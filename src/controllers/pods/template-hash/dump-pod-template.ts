import { compareTexts, isJsonObject, parseInstant } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import { dumpQuantity } from './dump-quantity.ts';
import goTypes from './go-types.json' with { type: 'json' };

/**
 * The fields of Go structs in their order, separated by commas, as `Name type json-name`. Types without a package are of a package v1. The
 * name in JSON is left out where it is the name with its leading capitals in lower case, and then also the type `string`; `inline` stands
 * for inline members.
 */
const structs: Readonly<Record<string, string>> = goTypes;

/**
 * Prints a pod template as the Go value that the real controllers hash: with all fields and types, pointers followed, keys sorted. Cf.
 * pkg/util/hash DeepHashObject, which uses spew.
 */
export function dumpPodTemplate(template: corev1.PodTemplateSpec): string {
  return dumpField('PodTemplateSpec', template);
}

function dumpField(type: string, value: unknown): string {
  return `(${type.replace(/(?<![.\w])(?=[A-Z])/, 'v1.')})${dumpValue(type, value)}`;
}

/** Elements of lists and maps are printed without their types. */
function dumpValue(type: string, value: unknown): string {
  const isUnset = value === undefined || value === null;
  if (type.startsWith('*')) return isUnset ? '<nil>' : dumpValue(type.slice(1), value);
  if (type.startsWith('[]')) return dumpList(type.slice(2), value);
  if (type === 'ResourceList') return dumpMap('resource.Quantity', value);
  if (type.startsWith('map[string]')) return dumpMap(type.slice('map[string]'.length), value);
  const fields = structs[type];
  if (fields !== undefined) return dumpStruct(fields.split(','), value);
  const special = specialTypes[type];
  if (special) return special(value);
  if (isUnset) return zeroValues[type] ?? '';
  return String(value);
}

/** The others are texts. */
const zeroValues: Readonly<Record<string, string>> = { bool: 'false', int32: '0', int64: '0' };

const specialTypes: Readonly<Record<string, (value: unknown) => string>> = {
  'resource.Quantity': (value) => dumpQuantity(String(value ?? '0')),
  'intstr.IntOrString': dumpIntOrString,
  Time: dumpTime,
  FieldsV1: (value) => `{Raw:([]uint8)[${new TextEncoder().encode(JSON.stringify(value)).join(' ')}]}`,
};

/** Storage does not distinguish empty lists and maps from unset ones. */
function dumpList(type: string, value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return '<nil>';
  return `[${value.map((item) => dumpValue(type, item)).join(' ')}]`;
}

function dumpMap(type: string, value: unknown): string {
  const entries = isJsonObject(value) ? Object.entries(value).sort(([a], [b]) => compareTexts(a, b)) : [];
  return entries.length === 0 ? '<nil>' : `map[${entries.map(([key, item]) => `${key}:${dumpValue(type, item)}`).join(' ')}]`;
}

const lowerCapitals = (name: string): string => name.replace(/^[A-Z]+(?=[A-Z][a-z]|$)|^[A-Z]/, (capitals) => capitals.toLowerCase());

function dumpStruct(fields: readonly string[], value: unknown): string {
  const object = isJsonObject(value) ? value : {};
  const members = fields.map((field) => {
    const [name = '', type = 'string', jsonName = lowerCapitals(name)] = field.split(' ');
    return `${name}:${dumpField(type, jsonName === 'inline' ? object : object[jsonName])}`;
  });
  return `{${members.join(' ')}}`;
}

function dumpIntOrString(value: unknown): string {
  const isText = typeof value === 'string';
  return `{Type:(intstr.Type)${isText ? 1 : 0} IntVal:(int32)${isText ? 0 : (value ?? 0)} StrVal:(string)${isText ? value : ''}}`;
}

/** Seconds from the year 1 to 1970. */
const unixToInternalSeconds = 62_135_596_800;

const utc = '{name:(string)UTC zone:([]time.zone)<nil> tx:([]time.zoneTrans)<nil> extend:(string) cacheStart:(int64)0 cacheEnd:(int64)0';

function dumpTime(value: unknown): string {
  if (typeof value !== 'string') return '{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}';
  const seconds = parseInstant(value, 'Time').ms / 1000 + unixToInternalSeconds;
  return `{Time:(time.Time){wall:(uint64)0 ext:(int64)${seconds} loc:(*time.Location)${utc} cacheZone:(*time.zone)<nil>}}}`;
}
