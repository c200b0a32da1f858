import { invalid } from '../../meta/index.ts';
import type { SchemaNode } from './schema-node.ts';
import { type Findings, findingsOf, type Problem, plainProblem, singleMatch, sumFindings } from './value-problems.ts';

/** Validates range and divisor. Integers are compared with integer limits, as in the real server. */
export function numberFindings(value: number | bigint, node: SchemaNode, path: string): Findings {
  const { multipleOf, minimum, maximum } = node;
  if (multipleOf === undefined && minimum === undefined && maximum === undefined) return singleMatch;
  const whole = typeof value === 'bigint' || Number.isInteger(value);
  const all: Findings[] = [];
  if (multipleOf !== undefined) all.push(multipleOfFindings(value, whole ? Math.trunc(multipleOf) : multipleOf, multipleOf, path));
  if (minimum !== undefined) all.push(minimumFindings(value, whole ? Math.trunc(minimum) : minimum, node.exclusiveMinimum, path));
  if (maximum !== undefined) all.push(maximumFindings(value, whole ? Math.trunc(maximum) : maximum, node.exclusiveMaximum, path));
  return sumFindings(all, 1);
}

const matched: Findings = { problems: [], matches: 0 };

function multipleOfFindings(value: number | bigint, factor: number, given: number, path: string): Findings {
  if (factor <= 0) return findingsOf(badDivisor(path, factor));
  const divides = typeof value === 'bigint' ? value % BigInt(factor) === 0n : isWhole(factor < 1 ? (1 / factor) * value : value / factor);
  return divides ? matched : findingsOf(plainProblem(path, formatNumber(value), `should be a multiple of ${formatGoFloat(given)}`));
}

function badDivisor(path: string, factor: number): Problem {
  const text = `factor MultipleOf declared for ${path} must be positive: ${formatGoFloat(factor)}`;
  return { at: path, text, error: (field) => invalid(field, factor, text) };
}

/** Whether a quotient is an integer within floating-point error. */
function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) <= Number.EPSILON * Math.max(1, Math.abs(value));
}

function maximumFindings(value: number | bigint, max: number, exclusive: boolean, path: string): Findings {
  if (exclusive ? value < max : value <= max) return matched;
  return findingsOf(plainProblem(path, formatNumber(value), `should be less than ${exclusive ? '' : 'or equal to '}${formatGoFloat(max)}`));
}

function minimumFindings(value: number | bigint, min: number, exclusive: boolean, path: string): Findings {
  if (exclusive ? value > min : value >= min) return matched;
  return findingsOf(
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
