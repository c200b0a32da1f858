import { msg, str } from '@lit/localize';
import type { RequestRecord } from '../model/request-log.ts';
import { maskSecrets, sentBody, sentHeaders } from './copies.ts';

/** Finds the previous request with the same method and path, with any query. */
export function findPrevious(records: readonly RequestRecord[], record: RequestRecord): RequestRecord | undefined {
  const at = records.indexOf(record);
  const isSame = ({ method, target }: RequestRecord): boolean => method === record.method && pathOf(target) === pathOf(record.target);
  return records.slice(0, Math.max(at, 0)).findLast(isSame);
}

/** The request as lines for a diff. */
export function requestText(record: RequestRecord): string {
  const options = { baseUrl: '', secrets: false };
  const headers = sentHeaders(record, options).map(([name, value]) => `${name}: ${value}`);
  return [`${record.method} ${record.target}`, ...headers.sort(), '', formatJson(sentBody(record, options))].join('\n');
}

/** Headers that differ in every response and are never the cause of a difference. */
const volatileHeaders: ReadonlySet<string> = new Set(['audit-id', 'date', 'server-timing', 'content-length']);

/** The response as lines for a diff. */
export function responseText({ status, responseHeaders, responseBody, target, user }: RequestRecord): string {
  const headers = responseHeaders.filter(([name]) => !volatileHeaders.has(name.toLowerCase())).map(([name, value]) => `${name}: ${value}`);
  const as = user === '' ? [] : [msg(str`to ${user}`, { desc: 'the user of a request' })];
  return [String(status), ...as, ...headers.sort(), '', formatJson(maskSecrets(responseBody, target))].join('\n');
}

/** Formats JSON with one member per line. Returns other text unchanged: YAML, streams and truncated bodies. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function pathOf(target: string): string {
  return target.replace(/\?.*$/s, '');
}
