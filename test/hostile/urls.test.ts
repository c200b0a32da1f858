import fc from 'fast-check';
import { test, vi } from 'vitest';
import { createTestServer, propertyOptions, testTimeoutMs } from './test-server.ts';
import { hostileJson, hostileText } from './values.ts';

vi.setConfig({ testTimeout: testTimeoutMs });

const segment = fc.oneof(
  fc.constantFrom(
    'api',
    'apis',
    'v1',
    'apps',
    'namespaces',
    'default',
    'pods',
    'configmaps',
    'deployments',
    'status',
    'scale',
    'log',
    'proxy',
  ),
  fc.constantFrom(
    'watch',
    'exec',
    'eviction',
    'binding',
    'token',
    'finalize',
    'a',
    '%',
    '%zz',
    '%2F',
    '%00',
    '..',
    '.',
    '',
    '%C3',
    'openapi',
    'v3',
  ),
  fc.constantFrom(
    'healthz',
    'livez',
    'readyz',
    'version',
    'metrics',
    'logs',
    'nodes',
    'services',
    'events',
    'namespaces',
    'apiextensions.k8s.io',
  ),
  hostileText.filter((text) => text.length < 100).map(percentEncode),
);
const path = fc.oneof(
  fc.array(segment, { maxLength: 9 }).map((segments) => `/${segments.join('/')}`),
  fc
    .tuple(fc.constantFrom('pods', 'configmaps', 'nodes', 'deployments'), fc.array(segment, { maxLength: 3 }))
    .map(([resource, rest]) => `/api/v1/namespaces/default/${[resource, ...rest].join('/')}`),
);

const token = (start: string): string => Buffer.from(start).toString('base64url');
const parameterValue = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    '-1',
    'true',
    'false',
    'x',
    'All',
    'Exact',
    'NotOlderThan',
    'Strict',
    '99999999999999999999',
    '1e3',
    '18446744073709551615',
  ),
  fc.constantFrom(
    'a=b',
    'a in (b,c)',
    'a!=',
    '!a',
    'metadata.name=a',
    'spec.nodeName=,',
    'a in',
    '(((',
    ',',
    'a,,b',
    '9223372036854775807',
  ),
  hostileText.map(percentEncode),
  hostileJson.map((json) => token(json)),
  fc.constantFrom('a\u0000', '../x', '/a', '', 'x').map((start) => token(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start }))),
  fc
    .constantFrom('-5', '9e99', '"1"', 'null', '{}', '99999999999999999999999')
    .map((rv) => token(`{"v":"meta.k8s.io/v1","rv":${rv},"start":"a"}`)),
);
const parameter = fc.constantFrom(
  'resourceVersion',
  'resourceVersionMatch',
  'limit',
  'continue',
  'watch',
  'timeoutSeconds',
  'labelSelector',
  'fieldSelector',
  'dryRun',
  'fieldManager',
  'fieldValidation',
  'pretty',
  'timeout',
  'sendInitialEvents',
  'allowWatchBookmarks',
  'includeObject',
  'gracePeriodSeconds',
  'propagationPolicy',
  'orphanDependents',
  'force',
);
const query = fc.array(fc.tuple(parameter, parameterValue), { maxLength: 4 }).map((pairs) => {
  return pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`;
});

const headerValue = fc.oneof(
  fc.constantFrom(
    'application/json',
    'application/yaml',
    'application/vnd.kubernetes.protobuf',
    '*/*',
    'text/html',
    '',
    ';',
    ';;q=',
    'a/b;q=9',
    ',',
  ),
  fc.constantFrom(
    'application/json;as=Table;v=v1;g=meta.k8s.io',
    'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
    'application/json;as=',
  ),
  fc.string({ maxLength: 12 }).filter((text) => /^[\x20-\x7e]*$/.test(text)),
);
const headers = fc.dictionary(
  fc.constantFrom('accept', 'content-type', 'accept-encoding', 'user-agent', 'if-none-match', 'x-tabplane-attempt-id'),
  headerValue,
  { maxKeys: 3 },
);

test('returns a valid response for any path, query and method', async () => {
  const server = await createTestServer();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'X', ''),
      path,
      query,
      headers,
      async (method, at, queryString, sent) => {
        const body = method === 'POST' || method === 'PUT' ? '{"metadata":{"name":"a"}}' : undefined;
        await server.sendForStatus({ method, target: at + queryString, headers: sent, ...(body === undefined ? {} : { body }) });
      },
    ),
    propertyOptions(600),
  );
});

test('returns a valid response for any parameters of a list or watch', async () => {
  const server = await createTestServer();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('/api/v1/namespaces', '/api/v1/pods', '/apis/apps/v1/deployments', '/api/v1/watch/pods'),
      query,
      headers,
      async (at, queryString, sent) => {
        await server.sendForStatus({ method: 'GET', target: at + queryString, headers: sent });
      },
    ),
    propertyOptions(600),
  );
});

test('returns a valid response for any options of a deletion', async () => {
  const server = await createTestServer();
  const options = fc.oneof(
    hostileJson,
    fc
      .record({ gracePeriodSeconds: hostileJson, preconditions: hostileJson, dryRun: hostileJson })
      .map(
        ({ gracePeriodSeconds, preconditions, dryRun }) =>
          `{"gracePeriodSeconds":${gracePeriodSeconds},"preconditions":${preconditions},"dryRun":${dryRun}}`,
      ),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('/api/v1/namespaces/default/configmaps/a', '/api/v1/namespaces/default/configmaps'),
      query,
      fc.option(options, { nil: undefined }),
      async (at, queryString, body) => {
        await server.send({ method: 'POST', target: '/api/v1/namespaces/default/configmaps', body: '{"metadata":{"name":"a"}}' });
        await server.sendForStatus({ method: 'DELETE', target: at + queryString, ...(body === undefined ? {} : { body }) });
      },
    ),
    propertyOptions(300),
  );
});

/** Percent-encodes; a lone surrogate, which cannot be encoded, becomes its bytes. */
function percentEncode(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return '%ED%A0%80';
  }
}
