import type { KindValidator, KindValidators, ValidationContext } from './kind-validator.ts';

/** Every kind that has rules of its own. */
export function kindValidators(context: ValidationContext): ReadonlyMap<string, KindValidator> {
  const groups: readonly ((context: ValidationContext) => KindValidators)[] = [];
  return new Map(groups.flatMap((group) => Object.entries(group(context))));
}
