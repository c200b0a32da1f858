import { isJsonObject, type Json, jsonKind } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';

/** A value that is no list of tolerations; the message is that of Go's encoding/json. */
export class TolerationError extends Error {
  override readonly name = 'TolerationError';
}

/** The fields with their Go types. */
const fields = {
  key: 'string',
  operator: 'v1.TolerationOperator',
  value: 'string',
  effect: 'v1.TaintEffect',
  tolerationSeconds: 'int64',
} as const;

/** Reads tolerations like encoding/json, which matches the names of fields in any case. @throws TolerationError */
export function readTolerations(value: Json): readonly Decoded<corev1.Toleration>[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw mismatch(value, 'value', '[]v1.Toleration');
  return value.map(readToleration);
}

function readToleration(value: Json): Decoded<corev1.Toleration> {
  if (value === null) return {};
  if (!isJsonObject(value)) throw mismatch(value, 'value', 'v1.Toleration');
  const toleration: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value)) {
    const [field, type] = Object.entries(fields).find(([known]) => known.toLowerCase() === name.toLowerCase()) ?? [];
    if (field === undefined || type === undefined || member === undefined || member === null) continue;
    if (!(type === 'int64' ? isInt64(member) : typeof member === 'string'))
      throw mismatch(member, `struct field Toleration.${field}`, type);
    toleration[field] = member;
  }
  return toleration;
}

function isInt64(value: Json): boolean {
  return typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isInteger(value);
}

function mismatch(value: Json, place: string, type: string): TolerationError {
  const shown = jsonKind(value) === 'number' && type === 'int64' ? `number ${value}` : jsonKind(value);
  return new TolerationError(`json: cannot unmarshal ${shown} into Go ${place} of type ${type}`);
}
