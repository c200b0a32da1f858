import { expect, onTestFinished, test, vi } from 'vitest';
import { fetchDescriptions } from './fetch-descriptions.ts';

const scope = 'https://example.com/';
const url = `${scope}descriptions.json`;

/** A worker with these cached files, or without caches, and a server with one response. */
function stubPlatform(cached: Readonly<Record<string, unknown>> | 'refused', served: () => Response): void {
  const match: CacheStorage['match'] = async (path, { cacheName = '' } = {}) => {
    if (cached === 'refused') throw new DOMException('refused', 'SecurityError');
    const entry = `${cacheName} ${path}`;
    return entry in cached ? Response.json(cached[entry]) : undefined;
  };
  vi.stubGlobal('caches', { match });
  vi.stubGlobal('fetch', async (path: string) => (path === url ? served() : new Response('', { status: 404 })));
  onTestFinished(() => void vi.unstubAllGlobals());
}

test('reads the file from the cache of the version of the worker', async () => {
  stubPlatform({ [`v1 ${url}`]: { old: {} }, [`v2 ${url}`]: { cached: {} } }, () => Response.json({ served: {} }));
  expect(await fetchDescriptions('descriptions.json', scope, 'v2')).toEqual({ cached: {} });
});

test('reads the file from the server when it is not cached, or caches are refused', async () => {
  stubPlatform({}, () => Response.json({ served: {} }));
  expect(await fetchDescriptions('descriptions.json', scope, 'v2')).toEqual({ served: {} });
  stubPlatform('refused', () => Response.json({ served: {} }));
  expect(await fetchDescriptions('descriptions.json', scope, 'v2')).toEqual({ served: {} });
});

test('fails when the server does not have the file', async () => {
  stubPlatform({}, () => new Response('', { status: 503 }));
  await expect(fetchDescriptions('descriptions.json', scope, 'v2')).rejects.toThrow(`${url} answers 503`);
});
