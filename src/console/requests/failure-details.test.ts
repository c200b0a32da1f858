import { expect, test } from 'vitest';
import { parseApplyConflict, parseExpiredRevision } from './failure-details.ts';

const cause = (manager: string, field: string) => ({
  reason: 'FieldManagerConflict',
  message: `conflict with "${manager}" using apps/v1`,
  field,
});
const status = (code: number, more: object): string => JSON.stringify({ kind: 'Status', apiVersion: 'v1', code, ...more });

test('an apply conflict has the requesting manager and the owners of the fields', () => {
  const causes = [cause('editor', '.spec.replicas'), cause('helm', '.spec.paused'), cause('editor', '.metadata.labels.a')];
  const record = { status: 409, target: '/apis/apps/v1/a?fieldManager=me&force=false', responseBody: status(409, { details: { causes } }) };
  expect(parseApplyConflict(record)).toEqual({
    mine: 'me',
    others: [
      { manager: 'editor', fields: ['.spec.replicas', '.metadata.labels.a'] },
      { manager: 'helm', fields: ['.spec.paused'] },
    ],
  });
});

test.each([
  [409, status(409, { message: 'the object has been modified' })],
  [409, 'no JSON'],
  [200, status(409, { details: { causes: [cause('a', '.b')] } })],
])('returns undefined for other responses: %i %s', (code, responseBody) => {
  expect(parseApplyConflict({ status: code, target: '/x', responseBody })).toBeUndefined();
});

const tooOld = status(410, { message: 'too old resource version: 3 (42)' });

test('reads the requested and the available revisions from a 410 response or watch event', () => {
  const range = { requested: 3, oldest: 42, newest: 97 };
  const target = '/api/v1/pods?watch=true&resourceVersion=3';
  expect(parseExpiredRevision({ status: 410, target, responseBody: tooOld }, 97)).toEqual(range);
  const stream = `{"type":"ADDED","object":{}}\n{"type":"ERROR","object":${tooOld}}\n`;
  expect(parseExpiredRevision({ status: 200, target, responseBody: stream }, 97)).toEqual(range);
  expect(parseExpiredRevision({ status: 200, target, responseBody: '{"type":"ADDED","object":{}}\n' }, 97)).toBeUndefined();
});

test('reads the requested revision from the request when the response has none', () => {
  const responseBody = status(410, { message: 'The resourceVersion for the provided list is too old.' });
  const record = { status: 410, target: '/api/v1/pods?resourceVersion=7&resourceVersionMatch=Exact', responseBody };
  expect(parseExpiredRevision(record, 97)).toEqual({ requested: 7, oldest: undefined, newest: 97 });
});
