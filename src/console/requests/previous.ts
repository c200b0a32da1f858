import { msg, str } from '@lit/localize';
import type { RequestRecord } from '../model/request-log.ts';
import { maskSecrets, sentBody, sentHeaders } from './copies.ts';

/** The request before this one that asked for the same: with the same method at the same path, whatever its query. */
export function findPrevious(records: readonly RequestRecord[], record: RequestRecord): RequestRecord | undefined {
  const at = records.indexOf(record);
  const isSame = ({ method, target }: RequestRecord): boolean => method === record.method && pathOf(target) === pathOf(record.target);
  return records.slice(0, Math.max(at, 0)).findLast(isSame);
}

/** What was sent, as lines that can be compared. */
export function requestText(record: RequestRecord): string {
  const options = { baseUrl: '', secrets: false };
  const headers = sentHeaders(record, options).map(([name, value]) => `${name}: ${value}`);
  return [`${record.method} ${record.target}`, ...headers.sort(), '', formatJson(sentBody(record, options))].join('\n');
}

/** Different for every answer, and never why. */
const volatileHeaders: ReadonlySet<string> = new Set(['audit-id', 'date', 'server-timing', 'content-length']);

/** What was answered, as lines that can be compared. */
export function responseText({ status, responseHeaders, responseBody, target, user }: RequestRecord): string {
  const headers = responseHeaders.filter(([name]) => !volatileHeaders.has(name.toLowerCase())).map(([name, value]) => `${name}: ${value}`);
  const as = user === '' ? [] : [msg(str`to ${user}`, { desc: 'the user who was answered' })];
  return [String(status), ...as, ...headers.sort(), '', formatJson(maskSecrets(responseBody, target))].join('\n');
}

/** JSON member by member; everything else as it came: YAML, a stream of several documents, or a body that was cut. */
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
