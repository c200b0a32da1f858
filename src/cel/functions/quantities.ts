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

class QuantityValue extends OpaqueValue {
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

/** Quantities and versions share the names of their comparison functions. */
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
  asApproximateFloat: ({ quantity }: QuantityValue): Result => approximate(quantity),
  compareTo: (a: QuantityValue | Semver, b: QuantityValue | Semver): Result => BigInt(order(a, b)),
  isGreaterThan: (a: QuantityValue | Semver, b: QuantityValue | Semver): Result => order(a, b) > 0,
  isLessThan: (a: QuantityValue | Semver, b: QuantityValue | Semver): Result => order(a, b) < 0,
};

function quantityOf(value: QuantityValue | bigint): Quantity {
  if (value instanceof QuantityValue) return value.quantity;
  return { unscaled: value, exponent: 0, format: 'DecimalExponent', text: undefined, wide: false };
}

/** Digits times the power of ten, like upstream, instead of the nearest double. */
function approximate({ unscaled, exponent, wide }: Quantity): number {
  const more = wide ? Math.max(0, exponent + 9) : 0;
  const base = Number(unscaled * 10n ** BigInt(more));
  return exponent === more ? base : base * Number(`1e${exponent - more}`);
}

/** Only 64-bit values without a fraction: not `1000m`, nor sums beyond upstream's int64 fast path. */
function integerOf(quantity: Quantity): bigint | undefined {
  if (quantity.wide || quantity.exponent < 0) return undefined;
  const whole = quantityInteger(quantity);
  return fitsInt(whole) ? whole : undefined;
}
