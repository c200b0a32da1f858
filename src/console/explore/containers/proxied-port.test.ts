import { expect, test } from 'vitest';
import { createManualClock } from '../../../env/index.ts';
import { ApiClient } from '../../../kubectl/index.ts';
import type { ApiRequest, ApiResponse } from '../../../meta/index.ts';
import { decodeText, documentOf, proxyPath, sendToPort, statusMessage, targetOf } from './proxied-port.ts';

const prefix = proxyPath({ resource: 'services', namespace: 'default', name: 'web', port: '80' });

test('the path of the proxy names the port', () => {
  expect(prefix).toBe('/api/v1/namespaces/default/services/web:80/proxy');
});

test.each([
  [`http://api.invalid${prefix}/a?b=c#d`, `${prefix}/a?b=c`],
  [`http://api.invalid${prefix}`, prefix],
  [`http://api.invalid${prefix}/x/../y`, `${prefix}/y`],
  [`http://api.invalid${prefix}/../../web/proxy/`, undefined],
  [`http://api.invalid${prefix}/%2e%2e/%2e%2e/secrets`, undefined],
  [`http://api.invalid${prefix}-other/`, undefined],
  ['http://api.invalid/api/v1/secrets', undefined],
  [`https://api.invalid${prefix}/`, undefined],
  [`http://elsewhere.invalid${prefix}/`, undefined],
  ['no url', undefined],
])('the target of %s is %s', (url, target) => {
  expect(targetOf(prefix, url)).toBe(target);
});

function clientOf(respond: (request: ApiRequest) => ApiResponse): ApiClient {
  return new ApiClient({
    server: 'http://cluster.test',
    handler: async (request) => respond(request),
    headers: {},
    impersonatedGroups: [],
    clock: createManualClock(0),
    signal: new AbortController().signal,
    timeout: undefined,
    onWarning: () => {},
    onRequest: () => {},
    rename: (text) => text,
  });
}

const page = (target: string): ApiResponse => ({ status: 200, headers: [['content-type', 'text/plain']], body: target });
const request = { method: 'POST', url: `http://api.invalid${prefix}/form`, contentType: 'text/plain', body: 'x' };

test('a request is sent with its body, and redirections below the port are followed', async () => {
  const sent: string[] = [];
  const client = clientOf(({ method, target, headers, body }) => {
    sent.push(`${method} ${target} ${headers.get('content-type')} ${new TextDecoder().decode(body)}`);
    return target.endsWith('/form') ? { status: 302, headers: [['location', `${prefix}/done`]], body: undefined } : page('done');
  });
  const { url, response } = await sendToPort(client, prefix, request);
  expect(sent).toEqual([`POST ${prefix}/form text/plain x`, `GET ${prefix}/done null `]);
  expect([url, response.status, decodeText(response.body)]).toEqual([`http://api.invalid${prefix}/done`, 200, 'done']);
});

test('no request is sent to another place, also after a redirection', async () => {
  const sent: string[] = [];
  const client = clientOf(({ target }) => {
    sent.push(target);
    return { status: 302, headers: [['location', '/api/v1/secrets']], body: undefined };
  });
  await expect(sendToPort(client, prefix, { ...request, url: 'http://api.invalid/api/v1/secrets' })).rejects.toThrow('is not below');
  await expect(sendToPort(client, prefix, request)).rejects.toThrow('is not below');
  expect(sent).toEqual([`${prefix}/form`]);
});

const response = (contentType: string, text: string, status = 200) => ({ status, contentType, body: new TextEncoder().encode(text) });

test('pages are shown as they are, texts and pictures within one, and binary files are not', () => {
  const url = `http://api.invalid${prefix}/?a"b`;
  expect(documentOf({ url, response: response('text/html; charset=utf-8', '<p>') })).toBe('<p>');
  expect(documentOf({ url, response: response('application/json', '{"a":"<b>"}') })).toBe('<pre>{&quot;a&quot;:&quot;&lt;b>&quot;}</pre>');
  expect(documentOf({ url, response: response('image/png', '') })).toBe(`<img src="http://api.invalid${prefix}/?a&quot;b" alt="">`);
  expect(documentOf({ url, response: response('', 'a\0b') })).toBeUndefined();
});

test('an error of the API is distinguished from one of the port', () => {
  expect(statusMessage(response('application/json', '{"kind":"Status","message":"no endpoints"}', 503))).toBe('no endpoints');
  expect(statusMessage(response('application/json', '{"error":1}', 500))).toBeUndefined();
  expect(statusMessage(response('text/html', 'not found', 404))).toBeUndefined();
});

test('bytes that are no UTF-8 are no text', () => {
  expect(decodeText(new TextEncoder().encode('grün'))).toBe('grün');
  expect(decodeText(Uint8Array.of(0xff, 0xfe, 1))).toBeUndefined();
});
