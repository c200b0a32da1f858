import { expect, test } from 'vitest';
import type { ApiResponse, JsonObject } from '../../meta/index.ts';
import { createSession, type Session } from '../scripted-api.test-support.ts';

const path = '/api/v1/namespaces/default/configmaps';
const byName = `${path}?fieldSelector=metadata.name%3Da`;
const configMap = (data: JsonObject, resourceVersion: string): JsonObject => ({
  kind: 'ConfigMap',
  metadata: { name: 'a', resourceVersion },
  data,
});
const respond = (body: JsonObject): ApiResponse => ({ status: 200, headers: [], body: `${JSON.stringify(body)}\n` });
const expired = { kind: 'Status', status: 'Failure', reason: 'Expired', message: 'too old resource version: 369 (420)', code: 410 };

/** A session with a ConfigMap of version 369 in a list of version 420; records the requests for it, and responds to watches. */
function createWatchSession(watched: (version: string) => JsonObject): Session & { readonly targets: string[] } {
  const targets: string[] = [];
  const session = createSession({}, (target) => {
    if (!target.startsWith(path)) return undefined;
    targets.push(target);
    const { searchParams } = new URL(target, 'https://cluster.local');
    const version = searchParams.get('resourceVersion');
    if (version !== null) return respond(watched(version));
    const object = configMap({ k: 'old' }, '369');
    if (!searchParams.has('fieldSelector')) return respond({ kind: 'ConfigMap', apiVersion: 'v1', ...object });
    return respond({ kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '420' }, items: [object] });
  });
  return { ...session, targets };
}

const waitForNew = "kubectl wait --for=jsonpath='{.data.k}'=new configmap/a";

test('wait watches from the version of a list, since that of the object may be compacted', async () => {
  const { run, targets } = createWatchSession((version) =>
    version === '420' ? { type: 'MODIFIED', object: configMap({ k: 'new' }, '421') } : { type: 'ERROR', object: expired },
  );
  expect(await run(waitForNew)).toMatchObject({ out: 'configmap/a condition met\n', err: '', code: 0 });
  expect(targets).toEqual([`${path}/a`, byName, `${byName}&resourceVersion=420&timeoutSeconds=30&watch=true`]);
});

test('wait pauses before it replaces a watch that fails at once', async () => {
  const { run, targets, clock } = createWatchSession(() => ({ type: 'ERROR', object: expired }));
  const result = run(waitForNew);
  let isOver = false;
  void result.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(100);
  }
  expect(await result).toMatchObject({ err: 'error: timed out waiting for the condition on configmaps/a\n', code: 1 });
  expect(targets.length).toBeGreaterThan(10);
  expect(targets.length).toBeLessThan(100);
  expect(clock.monotonicMs()).toBeLessThan(32_000);
});

test('get -w prints the error of a watch', async () => {
  const { run } = createWatchSession(() => ({ type: 'ERROR', object: expired }));
  expect(await run('kubectl get configmap a -w -o name')).toMatchObject({
    out: 'configmap/a\n',
    err: 'Error from server (Expired): too old resource version: 369 (420)\n',
    code: 1,
  });
});
