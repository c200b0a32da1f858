import { escapeHtml, type Json } from '../../../meta/index.ts';
import type { StructSchema } from '../../schema.ts';
import { diffLines } from './diff-lines.ts';
import { toInternalValue } from './internal-value.ts';

/** Formats values and their differences as in the real server's errors: in the form of its internal structs. */
export interface InternalFormatter {
  /** `type` is a catalog type: `core/v1.PodSpec`. */
  value(value: Json | undefined, type: string): Json;
  /** Difference of structs, or of some of their fields. */
  difference(before: Json, after: Json): string;
}

export function createInternalFormatter(schemaOf: (type: string) => StructSchema): InternalFormatter {
  return {
    value: (value, type) => toInternalValue(value, schemaOf(type)),
    difference: (before, after) => diffLines(printJson(before), printJson(after)),
  };
}

/** Indented like Go: `<`, `>` and `&` escaped. */
function printJson(value: Json): string {
  return escapeHtml(JSON.stringify(value, null, 1));
}
