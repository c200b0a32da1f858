import { invalid } from '../../meta/index.ts';
import type { SchemaNode } from './schema-node.ts';
import { type Problem, plainProblem, resultOf, singleMatch, sumResults, type ValidationResult } from './validation-result.ts';

/** Validates range and divisor. Integers are compared with integer limits, as in the real server. */
export function validateNumber(value: number | bigint, node: SchemaNode, path: string): ValidationResult {
  const { multipleOf, minimum, maximum } = node;
  if (multipleOf === undefined && minimum === undefined && maximum === undefined) return singleMatch;
  const whole = typeof value === 'bigint' || Number.isInteger(value);
  const all: ValidationResult[] = [];
  if (multipleOf !== undefined) all.push(validateMultipleOf(value, whole ? Math.trunc(multipleOf) : multipleOf, multipleOf, path));
  if (minimum !== undefined) all.push(validateMinimum(value, whole ? Math.trunc(minimum) : minimum, node.exclusiveMinimum, path));
  if (maximum !== undefined) all.push(validateMaximum(value, whole ? Math.trunc(maximum) : maximum, node.exclusiveMaximum, path));
  return sumResults(all, 1);
}

const matched: ValidationResult = { problems: [], matches: 0 };

function validateMultipleOf(value: number | bigint, factor: number, given: number, path: string): ValidationResult {
  if (factor <= 0) return resultOf(badDivisor(path, factor));
  const divides = typeof value === 'bigint' ? value % BigInt(factor) === 0n : isWhole(factor < 1 ? (1 / factor) * value : value / factor);
  return divides ? matched : resultOf(plainProblem(path, formatNumber(value), `should be a multiple of ${formatGoFloat(given)}`));
}

function badDivisor(path: string, factor: number): Problem {
  const text = `factor MultipleOf declared for ${path} must be positive: ${formatGoFloat(factor)}`;
  return { at: path, text, error: (field) => invalid(field, factor, text) };
}

/** Whether a quotient is an integer within floating-point error. */
function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) <= Number.EPSILON * Math.max(1, Math.abs(value));
}

function validateMaximum(value: number | bigint, max: number, exclusive: boolean, path: string): ValidationResult {
  if (exclusive ? value < max : value <= max) return matched;
  return resultOf(plainProblem(path, formatNumber(value), `should be less than ${exclusive ? '' : 'or equal to '}${formatGoFloat(max)}`));
}

function validateMinimum(value: number | bigint, min: number, exclusive: boolean, path: string): ValidationResult {
  if (exclusive ? value > min : value >= min) return matched;
  return resultOf(
    plainProblem(path, formatNumber(value), `should be greater than ${exclusive ? '' : 'or equal to '}${formatGoFloat(min)}`),
  );
}

function formatNumber(value: number | bigint): number {
  return Number(value);
}

/** Formats a float like Go's %v: small exponents have two digits. */
function formatGoFloat(value: number): string {
  if (value !== 0 && Math.abs(value) < 1e-4) return value.toExponential().replace(/e-(\d)$/, 'e-0$1');
  return String(value);
}
