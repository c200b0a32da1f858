import type { Pace } from '../../env/index.ts';
import type { FieldError } from '../../meta/index.ts';
import type { EnvironmentSet } from '../language/environment.ts';
import type { SchemaNode } from '../schema/node.ts';
import { ruleBudget, ruleValidatorBelow } from './validate-rules.ts';

/**
 * Errors of the defaults of a schema by its own rules. Defaults with other errors, for which `hasErrors` is true, are not checked. All of them
 * share the cost limit of one object. Cf. upstream defaulting.ValidateDefaults.
 */
export async function checkDefaults(
  root: SchemaNode,
  path: string,
  environments: EnvironmentSet,
  hasErrors: (path: string) => boolean,
  pace: Pace,
): Promise<readonly FieldError[]> {
  const errors: FieldError[] = [];
  let budget = ruleBudget;
  const check = async (schema: SchemaNode, at: string): Promise<void> => {
    const ownPath = `${at}.default`;
    if (schema.default !== undefined && budget >= 0 && !hasErrors(ownPath)) {
      const validator = await ruleValidatorBelow(schema, environments, pace);
      const result = await validator?.validate(ownPath, schema.default, undefined, pace, { budget });
      if (result) {
        errors.push(...result.errors);
        budget = result.remainingBudget;
      }
    }
    if (schema.items) await check(schema.items, `${at}.items`);
    for (const [name, property] of Object.entries(schema.properties ?? {})) await check(property, `${at}.properties[${name}]`);
  };
  await check(root, path);
  return errors;
}
