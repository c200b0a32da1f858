import { expect, test } from 'vitest';
import type { RequestRecord } from '../model/request-log.ts';
import { toHar } from './har.ts';

const record = (more: Partial<RequestRecord>): RequestRecord => ({
  id: '1',
  source: { kind: 'internal' },
  method: 'POST',
  target: '/api/v1/namespaces/default/secrets?dryRun=All',
  startMs: 0,
  requestHeaders: [
    ['authorization', 'Bearer admin-token'],
    ['content-type', 'application/json'],
  ],
  requestBody: '{"kind":"Secret","stringData":{"a":"hidden"}}',
  status: 201,
  ms: 3,
  user: '',
  auditId: '',
  responseHeaders: [['content-type', 'application/json']],
  responseBody: '{"kind":"Secret","data":{"a":"aGlkZGVu"}}',
  bytes: 40,
  state: 'done',
  stages: [],
  ...more,
});

test('formats requests as an HTTP archive, without tokens and secrets', () => {
  const token = record({ target: '/api/v1/namespaces/default/serviceaccounts/a/token', responseBody: '{"status":{"token":"jwt.jwt"}}' });
  const text = toHar([record({}), token, record({ state: 'running' })], 'http://host/cluster/', '0.1.0');
  expect(text).not.toMatch(/admin-token|hidden|aGlkZGVu|jwt\.jwt/);
  const { log } = JSON.parse(text);
  expect(log).toMatchObject({ version: '1.2', creator: { name: 'Tabplane', version: '0.1.0' } });
  expect(log.entries).toHaveLength(2);
  expect(log.entries[0]).toMatchObject({
    startedDateTime: '1970-01-01T00:00:00.000Z',
    request: { method: 'POST', url: 'http://host/cluster/api/v1/namespaces/default/secrets?dryRun=All' },
    response: { status: 201, content: { mimeType: 'application/json' } },
  });
  expect(log.entries[0].request.queryString).toEqual([{ name: 'dryRun', value: 'All' }]);
});
