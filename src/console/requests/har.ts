import type { RequestRecord } from '../model/request-log.ts';
import { type CopyOptions, maskSecrets, sentBody, sentHeaders, urlOf } from './copies.ts';

/** Formats requests as an HTTP archive (HAR 1.2) for browser tools and proxies. Omits tokens and the data of Secrets. */
export function toHar(records: readonly RequestRecord[], baseUrl: string, release: string): string {
  const options: CopyOptions = { baseUrl, secrets: false };
  const entries = records.filter(({ state }) => state !== 'running').map((record) => entryOf(record, options));
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'Tabplane', version: release }, entries } }, null, 1);
}

function entryOf(record: RequestRecord, options: CopyOptions): object {
  const { method, target, status, startMs, ms, responseHeaders, responseBody, bytes } = record;
  const text = sentBody(record, options);
  const type = (headers: readonly (readonly [string, string])[]): string => headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  return {
    startedDateTime: new Date(startMs).toISOString(),
    time: ms,
    request: {
      method,
      url: urlOf(record, options),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toNameValuePairs(sentHeaders(record, options)),
      queryString: toNameValuePairs([...new URLSearchParams(target.split('?')[1] ?? '')]),
      headersSize: -1,
      bodySize: text.length,
      ...(text === '' ? {} : { postData: { mimeType: type(record.requestHeaders), text } }),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toNameValuePairs(responseHeaders),
      content: { size: bytes, mimeType: type(responseHeaders), text: maskTokens(maskSecrets(responseBody, target)) },
      redirectURL: '',
      headersSize: -1,
      bodySize: bytes,
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
  };
}

/** Masks the tokens in TokenRequest responses. */
function maskTokens(body: string): string {
  return body.replace(/("token"\s*:\s*)"[^"]*"/g, '$1"…"');
}

function toNameValuePairs(pairs: readonly (readonly [string, string])[]): object[] {
  return pairs.map(([name, value]) => ({ name, value }));
}
