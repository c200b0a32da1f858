import { formatDouble, toText } from '../functions/conversions.ts';
import { goTypeName, typeNameOf } from '../functions/type-of.ts';
import { ListValue } from '../values/list.ts';
import { MapValue } from '../values/map.ts';
import { StructValue } from '../values/struct.ts';
import { Failure, type Result, Uint, type Value } from '../values/value.ts';

/** The value at a key or index; undefined when it is missing and may be. */
export function qualify(value: Value, key: Value, mayMiss: boolean): Result | undefined {
  if (!isQualifier(key)) return invalidQualifier(key);
  if (value instanceof MapValue) {
    const found = value.find(key);
    return found === undefined && !mayMiss ? noSuchKey(key) : found;
  }
  if (value instanceof StructValue && typeof key === 'string') {
    const field = value.fields.get(key);
    return field === undefined && !mayMiss ? noSuchKey(key) : field;
  }
  if (value instanceof ListValue) return elementAt(value, key, mayMiss);
  return mayMiss ? undefined : noSuchKey(key);
}

function elementAt(list: ListValue, key: Value, mayMiss: boolean): Result | undefined {
  const index = indexOf(key);
  if (index === undefined) return unsupportedIndex(key);
  if (index >= 0n && index < BigInt(list.size)) return list.at(Number(index));
  return mayMiss ? undefined : new Failure(`index out of bounds: ${index}`);
}

function unsupportedIndex(key: Value): Failure {
  if (typeof key === 'number') return new Failure(`unsupported index value ${formatDouble(key)} in list`);
  return new Failure(`unsupported index type '${typeNameOf(key)}' in list`);
}

function indexOf(key: Value): bigint | undefined {
  if (typeof key === 'bigint') return key;
  if (typeof key === 'number' && Number.isInteger(key)) return BigInt(key);
  return key instanceof Uint ? key.value : undefined;
}

/** Whether a value can be a key or index. */
export function isQualifier(key: Value): boolean {
  return ['string', 'boolean', 'bigint', 'number'].includes(typeof key) || key instanceof Uint;
}

export function invalidQualifier(key: Value): Failure {
  return new Failure(`invalid qualifier type: ${goTypeName(key)}`);
}

function noSuchKey(key: Value): Failure {
  return new Failure(`no such key: ${toText(key)}`);
}
