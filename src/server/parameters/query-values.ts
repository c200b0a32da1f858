import { badRequest } from '../../meta/index.ts';

/** Whether a parameter is set and neither `0` nor `false`: `watch`, `watch=` and `watch=yes` are true. */
export function isTrue(query: URLSearchParams, parameter: string): boolean {
  const value = query.get(parameter);
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

/** Maximum number of digits of a 63-bit number. */
const maxDigits = 19;

/** Go's ParseInt with 64 bits; undefined when the parameter is absent. @throws StatusError 400 */
export function readInteger(query: URLSearchParams, parameter: string): number | undefined {
  const text = query.get(parameter);
  if (text === null) return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  // Parsing digits takes more than linear time, so numbers with too many digits are rejected by length.
  const isLong = text.replace(/^[+-]?0*/, '').length > maxDigits;
  if (isLong || BigInt.asIntN(64, BigInt(text)) !== BigInt(text))
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
  return Number(text);
}
