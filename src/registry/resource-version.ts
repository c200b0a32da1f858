import { badRequest, StatusError } from '../meta/index.ts';

/**
 * Parses a resourceVersion parameter; undefined when it is empty. An invalid one is 400 on a list and on a get without the watch cache,
 * 500 on a watch and on a get from the cache.
 * @throws StatusError 400, 500
 */
export function parseResourceVersion(text: string, invalidStatus: 400 | 500): number | undefined {
  if (text === '') return undefined;
  const digits = /^\d+$/.test(text);
  if (digits && BigInt(text) < 2n ** 64n) return Number(text);
  const why = `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: ${digits ? 'value out of range' : 'invalid syntax'}`;
  if (invalidStatus === 400) throw badRequest(`invalid resource version: ${why}`);
  throw new StatusError(500, '', why);
}
