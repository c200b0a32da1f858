import { forbiddenField, invalid, isJsonObject, type Json, required, tooLong } from '../../../meta/index.ts';
import type { resourcev1 } from '../../api/index.ts';
import { type Errors, none } from '../checks.ts';
import { validateDriverName } from '../core/volumes/volume-sources.ts';
import type { Decoded } from '../decoded.ts';
import type { ValidationContext } from '../kind-validator.ts';
import { validateSlice } from './names.ts';

/** Limit for opaque driver parameters and for expressions, in bytes. */
export const maxParameters: number = 10 * 1024;
export const maxSelectorExpression: number = 10 * 1024;
const maxSelectors = 32;

/** Driver configuration of a class or claim. Stored parameters may exceed the limit for new ones. */
export function validateDeviceConfiguration(
  { opaque }: Decoded<resourcev1.DeviceClassConfiguration>,
  path: string,
  stored = false,
): Errors {
  if (!opaque) return [required(`${path}.opaque`, '')];
  return [
    ...validateDriverName(opaque.driver ?? '', `${path}.opaque.driver`),
    ...validateRawObject(opaque.parameters, `${path}.opaque.parameters`, stored ? Number.POSITIVE_INFINITY : maxParameters),
  ];
}

export function validateRawObject(value: Json | undefined, path: string, max: number): Errors {
  if (value === undefined || value === null) return [required(path, '')];
  if (new TextEncoder().encode(JSON.stringify(value)).length > max) return [tooLong(path, max)];
  return isJsonObject(value) ? none : [invalid(path, '<value omitted>', 'must be a valid JSON object')];
}

export function validateDeviceSelectors(
  { selectors = [] }: Decoded<resourcev1.DeviceClassSpec>,
  path: string,
  context: ValidationContext,
): Errors {
  return validateSlice(selectors, maxSelectors, (one, where) => validateDeviceSelector(one, where, context), `${path}.selectors`);
}

function validateDeviceSelector(selector: Decoded<resourcev1.DeviceSelector>, path: string, context: ValidationContext): Errors {
  const cel = selector.cel;
  if (!cel) return [required(`${path}.cel`, '')];
  const [expression, at] = [cel.expression ?? '', `${path}.cel.expression`];
  if (expression.length > maxSelectorExpression) return [tooLong(at, maxSelectorExpression)];
  const problem = context.checkDeviceSelector(expression);
  if (!problem) return none;
  return [problem.reason === 'forbidden' ? forbiddenField(at, problem.detail) : invalid(at, expression, problem.detail)];
}
