import { expect, test } from 'vitest';
import { productByName } from '../meta/index.ts';
import { type AuditEvent, encodeEvent, encodeEventList, formatLegacyEvent } from './event.ts';
import { compactJsonBody } from './json-body.ts';
import { omitManagedFields } from './omit-managed-fields.ts';
import { sourceIpsOf, userAgentOf } from './request-origin.ts';

const kubernetes = productByName('kubernetes');
const event: AuditEvent = {
  level: 'Request',
  auditId: 'one',
  stage: 'ResponseComplete',
  requestUri: '/api/v1/pods?limit=1&x=<',
  verb: 'list',
  user: { username: 'jane', uid: '', groups: ['devs', 'ops'], extra: { b: ['2'], a: ['1'] } },
  impersonatedUser: undefined,
  sourceIps: ['10.0.0.1'],
  userAgent: 'curl "8"',
  objectRef: { resource: 'pods', namespace: '', name: '', uid: '', apiGroup: '', apiVersion: 'v1', resourceVersion: '', subresource: '' },
  responseStatus: { code: 200 },
  requestObject: '{"a":1.0}',
  responseObject: undefined,
  receivedMs: Date.UTC(2026, 0, 1, 0, 0, 0, 120),
  stageMs: Date.UTC(2026, 0, 1, 0, 0, 1),
  annotations: { z: '1', a: '2' },
};

test('encodes an event as one line, in upstream member order, without empty members', () => {
  expect(encodeEvent(event, kubernetes)).toBe(
    '{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Request","auditID":"one","stage":"ResponseComplete",' +
      '"requestURI":"/api/v1/pods?limit=1\\u0026x=\\u003c","verb":"list","user":{"username":"jane","groups":["devs","ops"],"extra":{"a":["1"],"b":["2"]}},' +
      '"sourceIPs":["10.0.0.1"],"userAgent":"curl \\"8\\"","objectRef":{"resource":"pods","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":200},' +
      '"requestObject":{"a":1.0},"requestReceivedTimestamp":"2026-01-01T00:00:00.120000Z","stageTimestamp":"2026-01-01T00:00:01.000000Z",' +
      '"annotations":{"a":"2","z":"1"}}',
  );
});

test('encodes an EventList with the group of the product', () => {
  const text = encodeEventList([event, { ...event, user: undefined }], productByName('svc'));
  expect(text).toContain('{"kind":"EventList","apiVersion":"audit.svc/v1","metadata":{},"items":[{"level":"Request"');
  expect(text).toContain('"user":{},');
});

test('formats an event in the legacy format', () => {
  expect(formatLegacyEvent(event)).toBe(
    '2026-01-01T00:00:00.12Z AUDIT: id="one" stage="ResponseComplete" ip="10.0.0.1" method="list" user="jane" groups="\\"devs\\",\\"ops\\"" ' +
      'as="<self>" asgroups="<lookup>" user-agent="curl \\"8\\"" namespace="<none>" uri="/api/v1/pods?limit=1&x=<" response="200"',
  );
});

test('preserves numbers and order of a body, and cannot encode a body that is not JSON', () => {
  expect(compactJsonBody(new TextEncoder().encode('{ "b": 1.0,\n "a": " <" }'))).toBe('{"b":1.0,"a":" \\u003c"}');
  const yaml = { ...event, requestObject: compactJsonBody(new TextEncoder().encode('a: b\n')) };
  expect([encodeEvent(yaml, kubernetes), encodeEventList([yaml], kubernetes)]).toEqual([undefined, undefined]);
});

test('omits managedFields in objects, lists and tables', () => {
  const owned = { metadata: { name: 'a', managedFields: [{}] } };
  const bare = { metadata: { name: 'a' } };
  expect(omitManagedFields(owned)).toEqual(bare);
  expect(omitManagedFields({ metadata: {}, items: [owned] })).toEqual({ metadata: {}, items: [bare] });
  expect(omitManagedFields({ rows: [{ cells: ['a'], object: owned }] })).toEqual({ rows: [{ cells: ['a'], object: bare }] });
});

test('lists forwarding addresses in order, and the peer last', () => {
  const sourcesOf = (headers: Record<string, string>, address?: string): readonly string[] => {
    const request = { method: 'GET', target: '/', headers: new Headers(headers), body: undefined, signal: new AbortController().signal };
    return sourceIpsOf({ ...request, ...(address === undefined ? {} : { peer: { address } }) });
  };
  const proxied = { 'x-forwarded-for': '1.2.3.4, foo, 5.6.7.8', 'x-real-ip': '9.9.9.9' };
  expect(sourcesOf(proxied, '::ffff:127.0.0.1')).toEqual(['1.2.3.4', '5.6.7.8', '9.9.9.9', '127.0.0.1']);
  expect(sourcesOf({ 'x-forwarded-for': '127.0.0.1' }, '127.0.0.1')).toEqual(['127.0.0.1']);
  expect(sourcesOf({ 'x-real-ip': '0:0::1' })).toEqual(['::1']);
  expect(sourcesOf({})).toEqual([]);
});

test('truncates a long user agent', () => {
  const headers = new Headers({ 'user-agent': 'x'.repeat(2000) });
  const request = { method: 'GET', target: '/', headers, body: undefined, signal: new AbortController().signal };
  expect(userAgentOf(request)).toBe(`${'x'.repeat(1024)}...TRUNCATED`);
});
