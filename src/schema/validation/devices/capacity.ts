import {
  addQuantities,
  collectErrors,
  compareQuantities,
  type FieldError,
  forbiddenField,
  formatQuantity,
  invalid,
  parseQuantity,
  type Quantity,
  quantityInteger,
  required,
} from '../../../meta/index.ts';
import type { resourcev1 } from '../../api/index.ts';
import { type Errors, none } from '../checks.ts';
import type { Decoded } from '../decoded.ts';
import { validateSet } from './names.ts';

const maxValues = 10;

/** The request policy of a shareable capacity. Cf. upstream validateRequestPolicy. */
export function validateRequestPolicy(capacity: Decoded<resourcev1.DeviceCapacity>, mayShare: boolean, path: string): Errors {
  const policy = capacity.requestPolicy;
  const at = `${path}.requestPolicy`;
  if (!policy) return none;
  if (!mayShare) return [forbiddenField(at, 'allowMultipleAllocations must be true')];
  const [values, range] = [(policy.validValues ?? []).map(parseQuantity), policy.validRange];
  const fallback = policy.default ?? undefined;
  const total = parseQuantity(capacity.value ?? '');
  if (values.length > 0 && range) {
    return [forbiddenField(at, 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time')];
  }
  if (values.length > 0) {
    if (fallback === undefined) return [required(`${at}.default`, 'required when validValues is defined')];
    return validateValidValues(values, parseQuantity(fallback), total, `${at}.validValues`);
  }
  if (!range) return none;
  if (fallback === undefined) return [required(`${at}.default`, 'required when validRange is defined')];
  return validateValidRange(range, parseQuantity(fallback), total, `${at}.validRange`);
}

function validateValidValues(values: readonly Quantity[], fallback: Quantity, total: Quantity, path: string): Errors {
  const check = (value: Quantity, at: string): Errors =>
    isGreater(value, total) ? [capacityError(at, value, `option is larger than capacity value: ${formatQuantity(total)}`)] : none;
  return [
    ...collectErrors(values, (value, index) => {
      const before = values[index - 1];
      return before && isGreater(before, value)
        ? [capacityError(`${path}[${index}]`, value, 'values must be sorted in ascending order')]
        : none;
    }),
    ...validateSet(values, { max: maxValues, check, key: (value) => String(quantityInteger(value)) }, path),
    ...(values.some((value) => compareQuantities(value, fallback) === 0)
      ? none
      : [capacityError(path, fallback, 'default value is not valid according to the requestPolicy')]),
  ];
}

function validateValidRange(
  range: Decoded<resourcev1.CapacityRequestPolicyRange>,
  fallback: Quantity,
  total: Quantity,
  path: string,
): Errors {
  const [min, max, step] = [range.min, range.max, range.step].map((text) => (text === undefined ? undefined : parseQuantity(text)));
  if (!min) return [required(`${path}.min`, 'required when validRange is defined')];
  return [
    ...(isGreater(min, total) ? [capacityError(`${path}.min`, min, `min is larger than capacity value: ${formatQuantity(total)}`)] : none),
    ...(isGreater(min, fallback) ? [capacityError(`${path}.min`, fallback, `default is less than min: ${formatQuantity(min)}`)] : none),
    ...(max ? validateMax(max, { min, fallback, total }, `${path}.max`) : none),
    ...(step ? validateStep(step, { min, max, fallback, total }, `${path}.step`) : none),
  ];
}

interface Range {
  readonly min: Quantity;
  readonly max?: Quantity | undefined;
  readonly fallback: Quantity;
  readonly total: Quantity;
}

function validateMax(max: Quantity, { min, fallback, total }: Range, path: string): Errors {
  return [
    ...(isGreater(min, max) ? [capacityError(path, min, `min is larger than max: ${formatQuantity(max)}`)] : none),
    ...(isGreater(max, total) ? [capacityError(path, max, `max is larger than capacity value: ${formatQuantity(total)}`)] : none),
    ...(isGreater(fallback, max) ? [capacityError(path, fallback, `default is more than max: ${formatQuantity(max)}`)] : none),
  ];
}

function validateStep(step: Quantity, { min, max, fallback, total }: Range, path: string): Errors {
  const once = addQuantities(min, step);
  const off = (value: Quantity): Errors => {
    const size = quantityInteger(step);
    if (size !== 0n && (quantityInteger(value) - quantityInteger(min)) % size === 0n) return none;
    return [capacityError(path, value, `value is not a multiple of a given step (${formatQuantity(step)}) from (${formatQuantity(min)})`)];
  };
  return [
    ...(isGreater(once, total)
      ? [capacityError(path, step, `one step ${formatQuantity(once)} is larger than capacity value: ${formatQuantity(total)}`)]
      : none),
    ...off(fallback),
    ...(max ? off(max) : none),
  ];
}

function isGreater(a: Quantity, b: Quantity): boolean {
  return compareQuantities(a, b) > 0;
}

function capacityError(path: string, value: Quantity, why: string): FieldError {
  return invalid(path, formatQuantity(value), why);
}
