import type { ListValue } from './list.ts';
import type { MapValue } from './map.ts';

/** A CEL value: `int` is a bigint, `double` a number. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | Timestamp
  | Duration
  | TypeValue
  | OptionalValue
  | OpaqueValue
  | ListValue
  | MapValue;

/** Errors are passed on like values, since `||`, `&&` and macros may absorb them. */
export type Result = Value | Failure;

export class Failure {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** Nanoseconds since 1970. */
export class Timestamp {
  readonly nanos: bigint;
  /** Zone of the parsed text, used for output; field accessors use UTC. */
  readonly offsetMinutes: number;

  constructor(nanos: bigint, offsetMinutes = 0) {
    this.nanos = nanos;
    this.offsetMinutes = offsetMinutes;
  }
}

export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** The result of `type(x)`; compared by name. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export class OptionalValue {
  /** Undefined: `optional.none()`. */
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }
}

/** Values of Kubernetes types: URLs, quantities, an authorizer. */
export abstract class OpaqueValue {
  abstract readonly typeName: string;
  abstract equals(other: OpaqueValue): boolean;
  /** For costs by length; 1 without a length. */
  get size(): number {
    return 1;
  }
  /** Length of the source text; 0 when its functions do not parse it again. */
  get textLength(): number {
    return 0;
  }
}

const maxInt: bigint = 2n ** 63n - 1n;
const minInt: bigint = -(2n ** 63n);
export const maxUint: bigint = 2n ** 64n - 1n;

export function fitsInt(value: bigint): boolean {
  return value >= minInt && value <= maxInt;
}

export function isFailure(result: Result): result is Failure {
  return result instanceof Failure;
}

export function noSuchOverload(): Failure {
  return new Failure('no such overload');
}

/** The number of code points, without creating a list of them. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    if (isPair) {
      count -= 1;
      at += 1;
    }
  }
  return count;
}
