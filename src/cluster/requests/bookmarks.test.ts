import { expect, test } from 'vitest';
import { startTestCluster } from '../test-cluster.test-support.ts';

async function bookmark(collection: string): Promise<unknown> {
  const { send } = await startTestCluster();
  const { body } = await send('GET', `${collection}?watch=1&allowWatchBookmarks=1&fieldSelector=metadata.name%3Dnone`);
  if (typeof body !== 'object' || body instanceof Uint8Array) throw new Error('no stream');
  const iterator = body[Symbol.asyncIterator]();
  const { value } = await iterator.next();
  await iterator.return?.();
  return String(value).replace(/"resourceVersion":"\d+"/, '"resourceVersion":"1"');
}

const end = '"annotations":{"k8s.io/initial-events-end":"true"}';

test('sends a bookmark with kind, version and metadata first', async () => {
  expect(await bookmark('/api/v1/configmaps')).toBe(
    `{"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"1",${end}}}}\n`,
  );
});

test('sends a bookmark of a scalable kind without replicas', async () => {
  expect(await bookmark('/apis/apps/v1/replicasets')).toBe(
    `{"type":"BOOKMARK","object":{"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"resourceVersion":"1",${end}},` +
      '"spec":{"replicas":0,"selector":null,"template":{"metadata":{},"spec":{"containers":null}}},"status":{"replicas":0}}}\n',
  );
});
