import type { StructSchema } from '../../../schema/index.ts';
import type { DecodeBody } from '../../kinds.ts';

/** The target of a patch: an object, or its scale. */
export interface PatchTarget {
  readonly groupVersion: string;
  readonly kind: string;
  readonly schema: StructSchema;
  readonly decode: DecodeBody;
  /** Whether the objects are custom: those must contain their kind. */
  readonly custom: boolean;
}
