import { StructValue } from '../values/struct.ts';
import { Failure, type Result, type Value } from '../values/value.ts';
import type { StructFields } from './environment.ts';
import { dynType, stringType } from './types.ts';

/** `Object`, `Object.spec`: any fields. `JSONPatch`: one operation. Undefined for other types. */
export function patchStruct(typeName: string): StructFields | undefined {
  if (typeName === 'Object' || typeName.startsWith('Object.')) return () => dynType;
  if (typeName !== 'JSONPatch') return undefined;
  return (field) => (field === 'value' ? dynType : ['op', 'from', 'path'].includes(field) ? stringType : undefined);
}

export function makeStruct(typeName: string, fields: readonly (readonly [string, Value])[]): Result {
  const known = patchStruct(typeName);
  if (!known) return new Failure(`unknown type: ${typeName}`);
  const wrong = fields.find(([name, value]) => known(name) === stringType && typeof value !== 'string');
  if (wrong) return new Failure(`unexpected type for JSONPatchType '${wrong[0]}' field`);
  return new StructValue(typeName, new Map(fields));
}
