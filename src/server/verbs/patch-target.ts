import type { ApiObject, JsonObject } from '../../meta/index.ts';
import type { StructSchema } from '../../schema/index.ts';

/** What is patched: an object, or the scale of one. */
export interface PatchTarget {
  readonly groupVersion: string;
  readonly kind: string;
  readonly schema: StructSchema;
  readonly decode: (value: JsonObject, unknownField?: (path: string) => void) => ApiObject;
}
