import { expect, test } from 'vitest';
import type { corev1 } from '../../schema/api/index.ts';
import type { Containers } from './container-calls.ts';
import { nodeLogs } from './node-logs.ts';

const unused = (): Promise<never> => Promise.reject(new Error('not used'));
const containers: Containers = {
  attach: unused,
  exec: unused,
  portForward: unused,
  containerLogs: async ({ stream }) =>
    (async function* () {
      const text = stream === 'Stdout' ? '2026-01-01T00:00:01Z a b\n2026-01-01T00:00:03Z c\n' : '2026-01-01T00:00:02Z oops\n';
      yield new TextEncoder().encode(text);
    })(),
};
const pod = {
  metadata: { namespace: 'default', name: 'web' },
  status: { containerStatuses: [{ name: 'c', containerID: 'containerd://abc', restartCount: 2 }] },
} as unknown as corev1.Pod;

const page = (...names: readonly string[]): string => {
  const links = names.map((name) => `<a href="${name}">${name}</a>\n`).join('');
  return `<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n${links}</pre>\n`;
};
const log = '2026-01-01T00:00:01Z stdout F a b\n2026-01-01T00:00:02Z stderr F oops\n2026-01-01T00:00:03Z stdout F c\n';

test.each([
  ['', 200, page('containers/', 'pods/')],
  ['containers/', 200, page('web_default_c-abc.log')],
  ['pods/', 200, page('default_web_u/')],
  ['pods/default_web_u/', 200, page('c/')],
  ['pods/default_web_u/c/', 200, page('2.log')],
  ['pods/default_web_u/c/2.log', 200, log],
  ['containers/web_default_c-abc.log', 200, log],
  ['pods/default_web_u', 301, undefined],
  ['pods/other/', 404, '404 page not found\n'],
  ['syslog', 404, '404 page not found\n'],
])('/logs/%s', async (path, status, body) => {
  const { signal } = new AbortController();
  expect(await nodeLogs({ containers, pods: [{ pod, uid: 'u' }], path, signal })).toMatchObject({ status, ...(body ? { body } : {}) });
});

test('a directory without a slash is redirected', async () => {
  const { signal } = new AbortController();
  const { headers } = await nodeLogs({ containers, pods: [{ pod, uid: 'u' }], path: 'pods/default_web_u', signal });
  expect(headers).toEqual([['location', 'default_web_u/']]);
});
