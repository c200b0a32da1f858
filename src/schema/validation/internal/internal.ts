import type { Json } from '../../../meta/index.ts';
import type { StructSchema } from '../../schema.ts';
import { internalValue } from './internal-value.ts';
import { lineDiff } from './line-diff.ts';

/** Values and their differences as the real server's errors show them: in the form of its own structs. */
export interface Internal {
  /** `type` as the catalog names it: `core/v1.PodSpec`. */
  value(value: Json | undefined, type: string): Json;
  /** The fields of a struct, some of them alone. */
  difference(before: Json, after: Json): string;
}

export function internalForms(schemaOf: (type: string) => StructSchema): Internal {
  return {
    value: (value, type) => internalValue(value, schemaOf(type)),
    difference: (before, after) => lineDiff(printed(before), printed(after)),
  };
}

/** As Go indents: `<`, `>` and `&` escaped. */
function printed(value: Json): string {
  return JSON.stringify(value, null, 1).replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
