import { escapeHtml, type Json } from '../../../meta/index.ts';
import type { StructSchema } from '../../schema.ts';
import { isSemanticallyEqual } from '../accessors.ts';
import { diffLines } from './diff-lines.ts';
import { toInternalValue } from './internal-value.ts';

/** Formats values and their differences as in the real server's errors: in the form of its internal structs. */
export interface InternalFormatter {
  /** `type` is a catalog type: `core/v1.PodSpec`. */
  value(value: Json | undefined, type: string): Json;
  /** Semantic equality of two values of a catalog type, in their JSON or internal form: zero equals absent where Go has no pointer. */
  isEqual(a: Json | undefined, b: Json | undefined, type: string): boolean;
  /** Difference of structs, or of some of their fields. */
  difference(before: Json, after: Json): string;
}

export function createInternalFormatter(schemaOf: (type: string) => StructSchema): InternalFormatter {
  return {
    value: (value, type) => toInternalValue(value, schemaOf(type)),
    isEqual(a, b, type) {
      const schema = schemaOf(type);
      if (isSemanticallyEqual(a, b, schema)) return true;
      return isPresent(a) && isPresent(b) && isSemanticallyEqual(toInternalValue(a, schema), toInternalValue(b, schema));
    },
    difference: (before, after) => diffLines(printJson(before), printJson(after)),
  };
}

const isPresent = (value: Json | undefined): value is NonNullable<Json> => value !== undefined && value !== null;

/** Indented like Go: `<`, `>` and `&` escaped. */
function printJson(value: Json): string {
  return escapeHtml(JSON.stringify(value, null, 1));
}
