import { expect, test } from 'vitest';
import type { ApiResponse } from '../../meta/index.ts';
import { startTestCluster } from '../test-cluster.test-support.ts';

const headerOf = ({ headers }: ApiResponse, name: string): string | undefined => new Map(headers).get(name);

test('the debugging paths answer as those of the real server', async () => {
  const { send, close } = await startTestCluster();
  const redirected = await send('GET', '/debug/pprof');
  expect([redirected.status, headerOf(redirected, 'location')]).toEqual([302, '/debug/pprof/']);
  for (const path of ['/debug/pprof/', '/debug/flags', '/debug/flags/']) {
    const index = await send('GET', path);
    expect([path, index.status, headerOf(index, 'content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
  }
  expect(await send('GET', '/debug/pprof/x')).toMatchObject({ status: 404, body: 'Unknown profile\n' });
  expect(await send('GET', '/debug/flags/v')).toMatchObject({ status: 406, body: 'unsupported http method' });
  const put = (value: string): Promise<ApiResponse> => send('PUT', '/debug/flags/v', new TextEncoder().encode(value));
  expect(await put('5')).toMatchObject({ status: 200, body: 'successfully set klog.logging.verbosity to 5' });
  expect(await put('-1')).toMatchObject({ status: 400, body: 'strconv.ParseUint: parsing "-1": invalid syntax' });
  expect((await send('GET', '/debug/none')).status).toBe(404);
  await close();
});

test('without --profiling there are no debugging paths', async () => {
  const { send, close } = await startTestCluster({ profiling: false });
  for (const path of ['/debug/pprof', '/debug/pprof/', '/debug/flags/v']) expect((await send('GET', path)).status).toBe(404);
  await close();
});
