import { environments, type RuleTimer, type RuleValidationResult, type RuleValidator, readSchema, ruleValidator } from '../../cel/index.ts';
import type { Pace } from '../../env/index.ts';
import { type ApiObject, attachedValues, type FieldError, invalid, type Product } from '../../meta/index.ts';
import type { SchemaNode } from '../../schema/index.ts';

/** Validation rules of definitions (`x-kubernetes-validations`). */
export interface CustomRules {
  /** `before`: errors found so far; rules are not evaluated for an object of the wrong shape. */
  errors(
    schema: SchemaNode,
    next: ApiObject,
    old: ApiObject | undefined,
    before: readonly FieldError[],
    run: RuleOptions,
  ): Promise<readonly FieldError[]>;
  /** Warnings of the last evaluation for this object: unchanged values may still violate a rule (ratcheting). */
  warnings(next: ApiObject): readonly string[];
}

/** How rules are compiled and evaluated. */
export interface RuleOptions {
  readonly pace: Pace;
  readonly timer: RuleTimer | undefined;
}

const shapeErrorReasons: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

export function createCustomRules(product: Product): CustomRules {
  const validators = new WeakMap<SchemaNode, Promise<RuleValidator | undefined>>();
  const results = attachedValues<ApiObject, RuleValidationResult>();
  const validatorOf = (schema: SchemaNode, { pace, timer }: RuleOptions): Promise<RuleValidator | undefined> => {
    const made =
      validators.get(schema) ?? ruleValidator(readSchema(schema.source, product.names.openApiExtensionPrefix), environments(), pace, timer);
    validators.set(schema, made);
    return made;
  };
  return {
    async errors(schema, next, old, before, run) {
      const validator = schema.contains.rules ? await validatorOf(schema, run) : undefined;
      if (!validator) return [];
      if (before.some(({ reason }) => shapeErrorReasons.has(reason))) return [rulesNotCheckedError];
      const found = await validator.validate('', next, old, run.pace, { timer: run.timer });
      results.set(next, found);
      return found.errors.map(atRoot);
    },
    warnings: (next) => results.get(next)?.warnings ?? [],
  };
}

const rulesNotCheckedError = invalid(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);

/** An error without a path has Go's `<nil>` as field. */
function atRoot(error: FieldError): FieldError {
  return error.field === '' ? { ...error, field: '<nil>' } : error;
}
