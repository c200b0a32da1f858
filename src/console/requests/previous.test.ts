import { expect, test } from 'vitest';
import type { RequestRecord } from '../model/request-log.ts';
import { createRequestRecord } from '../model/request-record.test-support.ts';
import { findPrevious, requestText, responseText } from './previous.ts';

const record = (id: string, more: Partial<RequestRecord> = {}): RequestRecord => createRequestRecord({ id, user: 'admin', ...more });

test('the previous request is the last one before with the same method and path', () => {
  const records = [
    record('1'),
    record('2', { target: '/api/v1/pods' }),
    record('3', { method: 'DELETE', target: '/api/v1/pods' }),
    record('4', { target: '/api/v1/nodes' }),
    record('5'),
    record('6'),
  ];
  const previous = records.map((one) => findPrevious(records, one)?.id);
  expect(previous).toEqual([undefined, '1', undefined, undefined, '2', '5']);
  expect(findPrevious(records, record('7'))).toBeUndefined();
});

test('compared texts have no tokens, secrets and volatile values', () => {
  const secret = record('1', {
    target: '/api/v1/namespaces/a/secrets',
    requestBody: '{"kind":"Secret","data":{"a":"c2VjcmV0"}}',
    responseBody: '{"kind":"Secret","data":{"a":"c2VjcmV0"}}',
    responseHeaders: [
      ['Audit-Id', 'x'],
      ['warning', '299 - "old"'],
      ['content-type', 'application/json'],
    ],
  });
  expect(requestText(secret)).toBe(
    'GET /api/v1/namespaces/a/secrets\nauthorization: Bearer …\n\n{\n  "kind": "Secret",\n  "data": {\n    "…": "…"\n  }\n}',
  );
  expect(responseText(secret)).toBe(
    '200\nto admin\ncontent-type: application/json\nwarning: 299 - "old"\n\n{\n  "kind": "Secret",\n  "data": {\n    "…": "…"\n  }\n}',
  );
  expect(responseText(record('2', { responseBody: 'a\nb' }))).toContain('a\nb');
});
