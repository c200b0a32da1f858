import { expect, test } from 'vitest';
import { createRequestRecord as record } from '../model/request-record.test-support.ts';
import { maskSecrets, toClientGo, toCurl, toFetch, toKubectl, toPython } from './copies.ts';

const base = { baseUrl: 'http://host/cluster/' };

test('a request is copied as curl, fetch and kubectl, its token only on demand', () => {
  expect(toCurl(record({}), { ...base, secrets: false })).toBe(
    "curl 'http://host/cluster/api/v1/pods?limit=5' \\\n  -H 'authorization: Bearer …'",
  );
  expect(toCurl(record({}), { ...base, secrets: true })).toContain('Bearer admin-token');
  expect(toFetch(record({ method: 'POST', requestBody: '{"a":1}' }), { ...base, secrets: true })).toContain('"body": "{\\"a\\":1}"');
  expect(toKubectl(record({}), { ...base, secrets: false })).toBe("kubectl get --raw '/api/v1/pods?limit=5'");
  expect(toKubectl(record({ method: 'PATCH' }), { ...base, secrets: false })).toBeUndefined();
});

test('quotes in a body survive the shell', () => {
  expect(toCurl(record({ method: 'POST', requestBody: "it's" }), { ...base, secrets: true })).toContain(`--data-binary 'it'\\''s'`);
});

test('masks the data of a Secret in JSON and YAML, and only there', () => {
  expect(maskSecrets('{"kind":"Secret","data":{"a":"c2VjcmV0"}}', '/x')).not.toContain('c2VjcmV0');
  expect(maskSecrets('kind: Secret\ndata:\n  a: c2VjcmV0\n  b: eA==\ntype: Opaque\n', '/x')).toBe('kind: Secret\ndata: …\ntype: Opaque\n');
  expect(maskSecrets('{"data":{"a":"c2VjcmV0"}}', '/api/v1/namespaces/a/secrets/x')).not.toContain('c2VjcmV0');
  expect(maskSecrets('{"kind":"ConfigMap","data":{"a":"b"}}', '/api/v1/namespaces/a/configmaps')).toContain('"b"');
});

test('a request is written for Python and for client-go, whose clientset has the token', () => {
  const post = record({
    method: 'POST',
    requestBody: '{"a":"é"}',
    requestHeaders: [
      ['authorization', 'Bearer admin-token'],
      ['content-type', 'application/json'],
    ],
  });
  expect(toPython(post, { ...base, secrets: true })).toContain(
    'Request("http://host/cluster/api/v1/pods?limit=5", method="POST", headers={"authorization":"Bearer admin-token","content-type":"application/json"}, data="{\\"a\\":\\"é\\"}".encode())',
  );
  const go = toClientGo(post, { ...base, secrets: true });
  expect(go).toContain('Verb("POST").RequestURI("/api/v1/pods?limit=5").\n\tSetHeader("content-type", "application/json").\n\tBody(');
  expect(go).not.toContain('admin-token');
});

test('a copy has no secrets, unless requested', () => {
  const post = record({ method: 'POST', requestBody: '{"kind":"Secret","data":{"a":"c2VjcmV0"}}' });
  for (const copy of [toCurl, toFetch, toKubectl, toPython, toClientGo]) {
    expect(copy(post, { ...base, secrets: false }), copy.name).not.toContain('c2VjcmV0');
    expect(copy(post, { ...base, secrets: true }), copy.name).toContain('c2VjcmV0');
  }
});
