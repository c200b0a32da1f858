import { invalid } from '../../meta/index.ts';
import type { SchemaNode } from './schema-node.ts';
import { type Findings, found, oneMatch, type Problem, plainProblem, together } from './value-problems.ts';

/** Validates range and divisor. Integers are compared with integer limits, as in the real server. */
export function numberFindings(value: number | bigint, node: SchemaNode, path: string): Findings {
  const { multipleOf, minimum, maximum } = node;
  if (multipleOf === undefined && minimum === undefined && maximum === undefined) return oneMatch;
  const whole = typeof value === 'bigint' || Number.isInteger(value);
  const all: Findings[] = [];
  if (multipleOf !== undefined) all.push(divisor(value, whole ? Math.trunc(multipleOf) : multipleOf, multipleOf, path));
  if (minimum !== undefined) all.push(lower(value, whole ? Math.trunc(minimum) : minimum, node.exclusiveMinimum, path));
  if (maximum !== undefined) all.push(upper(value, whole ? Math.trunc(maximum) : maximum, node.exclusiveMaximum, path));
  return together(all, 1);
}

const fine: Findings = { problems: [], matches: 0 };

function divisor(value: number | bigint, factor: number, given: number, path: string): Findings {
  if (factor <= 0) return found(badDivisor(path, factor));
  const divides = typeof value === 'bigint' ? value % BigInt(factor) === 0n : isWhole(factor < 1 ? (1 / factor) * value : value / factor);
  return divides ? fine : found(plainProblem(path, shown(value), `should be a multiple of ${goFloat(given)}`));
}

function badDivisor(path: string, factor: number): Problem {
  const text = `factor MultipleOf declared for ${path} must be positive: ${goFloat(factor)}`;
  return { at: path, text, error: (field) => invalid(field, factor, text) };
}

/** Whether a quotient is an integer within floating-point error. */
function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) <= Number.EPSILON * Math.max(1, Math.abs(value));
}

function upper(value: number | bigint, max: number, exclusive: boolean, path: string): Findings {
  if (exclusive ? value < max : value <= max) return fine;
  return found(plainProblem(path, shown(value), `should be less than ${exclusive ? '' : 'or equal to '}${goFloat(max)}`));
}

function lower(value: number | bigint, min: number, exclusive: boolean, path: string): Findings {
  if (exclusive ? value > min : value >= min) return fine;
  return found(plainProblem(path, shown(value), `should be greater than ${exclusive ? '' : 'or equal to '}${goFloat(min)}`));
}

function shown(value: number | bigint): number {
  return Number(value);
}

/** Formats a float like Go's %v: small exponents have two digits. */
function goFloat(value: number): string {
  if (value !== 0 && Math.abs(value) < 1e-4) return value.toExponential().replace(/e-(\d)$/, 'e-0$1');
  return String(value);
}
