import {
  addQuantities,
  compareQuantities,
  isQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantityInteger,
  signOfQuantity,
  subtractQuantities,
} from '../../meta/index.ts';
import { Failure, fitsInt, OpaqueValue, type Result } from '../values/value.ts';
import type { Functions } from './functions.ts';
import { compareSemvers, Semver } from './semvers.ts';

export class QuantityValue extends OpaqueValue {
  readonly typeName = 'kubernetes.Quantity';
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof QuantityValue && compareQuantities(this.quantity, other.quantity) === 0;
  }
}

/** Quantities and versions share the names of their comparisons. */
function order(a: QuantityValue | Semver, b: QuantityValue | Semver): number {
  if (a instanceof Semver) return b instanceof Semver ? compareSemvers(a, b) : 0;
  return b instanceof QuantityValue ? compareQuantities(a.quantity, b.quantity) : 0;
}

export const quantities: Functions = {
  quantity: (text: string): Result => {
    try {
      return new QuantityValue(parseQuantity(text));
    } catch (error) {
      if (error instanceof QuantityError) return new Failure(error.message);
      throw error;
    }
  },
  isQuantity: (text: string): Result => isQuantity(text),
  add: (a: QuantityValue, b: QuantityValue | bigint): Result => new QuantityValue(addQuantities(a.quantity, quantityOf(b))),
  sub: (a: QuantityValue, b: QuantityValue | bigint): Result => new QuantityValue(subtractQuantities(a.quantity, quantityOf(b))),
  sign: (one: QuantityValue): Result => BigInt(signOfQuantity(one.quantity)),
  isInteger: (one: QuantityValue): Result => integerOf(one.quantity) !== undefined,
  asInteger: (one: QuantityValue): Result => integerOf(one.quantity) ?? new Failure('cannot convert value to integer'),
  asApproximateFloat: ({ quantity: { unscaled, exponent } }: QuantityValue): Result => Number(`${unscaled}e${exponent}`),
  compareTo: (a: QuantityValue | Semver, b: QuantityValue | Semver): Result => BigInt(order(a, b)),
  isGreaterThan: (a: QuantityValue | Semver, b: QuantityValue | Semver): Result => order(a, b) > 0,
  isLessThan: (a: QuantityValue | Semver, b: QuantityValue | Semver): Result => order(a, b) < 0,
};

function quantityOf(value: QuantityValue | bigint): Quantity {
  if (value instanceof QuantityValue) return value.quantity;
  return { unscaled: value, exponent: 0, format: 'DecimalExponent', text: undefined, wide: false };
}

/** Only what is whole and fits 64 bits; sums beyond the fast path never do. */
function integerOf(quantity: Quantity): bigint | undefined {
  if (quantity.wide) return undefined;
  const whole = quantityInteger(quantity);
  const exact = compareQuantities(quantity, quantityOf(whole)) === 0;
  return exact && fitsInt(whole) ? whole : undefined;
}
