import type { StructSchema } from '../../schema/index.ts';
import type { DecodeBody } from '../kinds.ts';

/** What is patched: an object, or the scale of one. */
export interface PatchTarget {
  readonly groupVersion: string;
  readonly kind: string;
  readonly schema: StructSchema;
  readonly decode: DecodeBody;
  /** Objects of a custom resource say themselves what they are. */
  readonly custom: boolean;
}
