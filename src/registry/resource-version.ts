import { badRequest, StatusError } from '../meta/index.ts';

/**
 * Parses a resourceVersion parameter; undefined when it is empty. An invalid one is 400 on a list but 500 on a watch, a get and a write.
 * @throws StatusError 400, 500
 */
export function parseResourceVersion(text: string, verb: 'list' | 'watch' | 'get'): number | undefined {
  if (text === '') return undefined;
  const digits = /^\d+$/.test(text);
  if (digits && BigInt(text) < 2n ** 64n) return Number(text);
  const why = `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: ${digits ? 'value out of range' : 'invalid syntax'}`;
  if (verb === 'list') throw badRequest(`invalid resource version: ${why}`);
  throw new StatusError(500, '', why);
}
