import { typeNameOf } from '../functions/type-of.ts';
import { ListValue } from '../values/list.ts';
import { MapValue } from '../values/map.ts';
import { StructValue } from '../values/struct.ts';
import { Failure, type Result, Uint, type Value } from '../values/value.ts';

/** What is at a key or index; undefined when it is not there and may be missing. */
export function qualify(value: Value, key: Value, mayMiss: boolean): Result | undefined {
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
  if (index >= 0 && index < list.size) return list.at(index);
  return mayMiss ? undefined : new Failure(`index out of bounds: ${index}`);
}

function unsupportedIndex(key: Value): Failure {
  if (typeof key === 'number') return new Failure(`unsupported index value ${key} in list`);
  return new Failure(`unsupported index type '${typeNameOf(key)}' in list`);
}

function indexOf(key: Value): number | undefined {
  if (typeof key === 'bigint') return Number(key);
  if (typeof key === 'number' && Number.isInteger(key)) return key;
  return key instanceof Uint ? Number(key.value) : undefined;
}

function noSuchKey(key: Value): Failure {
  return new Failure(`no such key: ${key instanceof Uint ? key.value : String(key)}`);
}
