import type { FeatureGates, FieldError, JsonObject, ProductNames } from '../../meta/index.ts';
import type { StructSchema } from '../schema.ts';
import type { Internal } from './internal/internal.ts';

/** What validators may know besides the objects: names differ between products. */
export interface ValidationContext {
  /** A text written with the names of `kubernetes`, in this product's. */
  rename(text: string): string;
  readonly names: ProductNames;
  /** What is switched on; fields of features that are off never come here. */
  readonly gates: FeatureGates;
  /** How errors show structs. */
  readonly internal: Internal;
  /** What is wrong with an expression that selects devices, if anything; the language is not known here. */
  readonly deviceSelector: (expression: string) => SelectorProblem | undefined;
}

export interface SelectorProblem {
  readonly reason: 'invalid' | 'forbidden';
  readonly detail: string;
}

/** What is special to a kind. Each answers with all it finds. */
export interface KindValidator {
  readonly create: (object: JsonObject) => readonly FieldError[];
  /** Rules of a new object that take time (signatures): told what `create` found, answers with all there is, in order. */
  readonly prove?: (object: JsonObject, found: readonly FieldError[]) => Promise<readonly FieldError[]>;
  /** Upstream's rules of the kind do not look at metadata, so what is wrong there is told only when nothing else is; or they do themselves. */
  readonly leavesMetadata?: true;
  readonly update?: (next: JsonObject, old: JsonObject) => readonly FieldError[];
  /** `now`: when it is written. */
  readonly updateStatus?: (next: JsonObject, old: JsonObject, now: string) => readonly FieldError[];
  /** Writes to other subresources; where there is none it is a change like any other. */
  readonly subresources?: Readonly<Record<string, (next: JsonObject, old: JsonObject) => readonly FieldError[]>>;
}

/** By type without its version: `apps.Deployment`. */
export type KindValidators = Readonly<Record<string, KindValidator>>;

/** `apps/v1.Deployment` → `apps.Deployment`: all versions of a kind are validated alike. */
export function typeOf(schema: StructSchema): string {
  return schema.name.replace(/\/[^.]*\./, '.');
}
