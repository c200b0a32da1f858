import { badRequest } from '../meta/index.ts';

/** Whether a parameter is said and neither `0` nor `false`: `watch`, `watch=` and `watch=yes` are watches. */
export function isTrue(query: URLSearchParams, parameter: string): boolean {
  const value = query.get(parameter);
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

/** The most digits of a number of 63 bits. */
const maxDigits = 19;

/** Go's ParseInt in 64 bits; undefined when the parameter is not there. @throws StatusError 400 */
export function readInteger(query: URLSearchParams, parameter: string): number | undefined {
  const text = query.get(parameter);
  if (text === null) return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  // To read many digits takes time by more than their number: those of a number out of range are only counted.
  const isLong = text.replace(/^[+-]?0*/, '').length > maxDigits;
  if (isLong || BigInt.asIntN(64, BigInt(text)) !== BigInt(text))
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
  return Number(text);
}
