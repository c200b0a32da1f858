/** Minimum and maximum of a size or cost. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** Saturation limit, the range of Go's uint64. */
export const unbounded: number = 2 ** 64;

export const fixed = (value: number): Range => ({ min: value, max: value });
export const unknownSize: Range = { min: 0, max: unbounded };

export function add(...ranges: readonly Range[]): Range {
  return ranges.reduce((sum, one) => ({ min: saturate(sum.min + one.min), max: saturate(sum.max + one.max) }));
}

export function multiply(a: Range, b: Range): Range {
  return { min: saturate(a.min * b.min), max: saturate(a.max * b.max) };
}

/** Multiplies by a factor and rounds up. */
export function scale(range: Range, factor: number): Range {
  return { min: saturate(Math.ceil(range.min * factor)), max: saturate(Math.ceil(range.max * factor)) };
}

export function union(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

function saturate(value: number): number {
  return Math.min(value, unbounded);
}
