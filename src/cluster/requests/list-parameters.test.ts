import { expect, test } from 'vitest';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

const maps = '/api/v1/namespaces/default/configmaps';

async function messages(paths: readonly string[]): Promise<readonly string[]> {
  const { send } = await withMaps();
  const lines: string[] = [];
  for (const path of paths) {
    const answer = await send('GET', path);
    const { message } = bodyOf(answer) as { readonly message?: string };
    lines.push(`${answer.status} ${message ?? ''}`);
  }
  return lines;
}

async function withMaps(): Promise<TestCluster> {
  const cluster = await startTestCluster();
  for (const name of ['a', 'b', 'c']) await cluster.send('POST', maps, { metadata: { name } });
  return cluster;
}

test('reports unparsable parameters before conflicting ones, and numbers before selectors', async () => {
  expect(
    await messages([
      `${maps}?limit=&labelSelector=!&resourceVersionMatch=x`,
      `${maps}?labelSelector=!&fieldSelector=x&resourceVersionMatch=x`,
      `${maps}?fieldSelector=x&resourceVersionMatch=Exact`,
      `${maps}?fieldSelector=x%3Dy&sendInitialEvents=0`,
      `${maps}?fieldSelector=x%3Dy`,
    ]),
  ).toEqual([
    '400 strconv.ParseInt: parsing "": invalid syntax',
    "400 unable to parse requirement: found '', expected: identifier",
    "400 invalid selector: 'x'; can't understand 'x'",
    '422 ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    '400 "x" is not a known field selector: only "metadata.name", "metadata.namespace"',
  ]);
});

test('rejects a watch with a continue token', async () => {
  expect(await messages([`${maps}?watch=1&continue=x`, `${maps}?watch=1&resourceVersion=0&continue=x`])).toEqual(
    Array(2).fill(
      '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    ),
  );
});

test("validates list parameters below /watch/, and rejects a name that differs from the selector's", async () => {
  expect(
    await messages([
      '/api/v1/watch/namespaces/default/configmaps?sendInitialEvents=1',
      '/api/v1/watch/namespaces/default/configmaps/a?fieldSelector=metadata.name%3Db',
    ]),
  ).toEqual([
    '422 ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    "400 fieldSelector metadata.name doesn't match requested name",
  ]);
});

test('ignores an empty term of a field selector', async () => {
  const { send } = await withMaps();
  expect(bodyOf(await send('GET', `${maps}?fieldSelector=%3D`))['items']).toHaveLength(3);
});

test('reads one name and namespace in a selector without pagination', async () => {
  const { send } = await withMaps();
  const answer = await send('GET', '/api/v1/configmaps?limit=1&fieldSelector=metadata.name%3Db,metadata.namespace%3Ddefault');
  expect(bodyOf(answer)).toMatchObject({ metadata: {}, items: [{ metadata: { name: 'b' } }] });
});

test('rejects a resourceVersion beside a continue token without parsing it', async () => {
  const { send } = await withMaps();
  const { metadata } = bodyOf(await send('GET', `${maps}?limit=1`)) as { readonly metadata: { readonly continue: string } };
  const answer = await send('GET', `${maps}?resourceVersion=x&continue=${metadata.continue}`);
  expect(bodyOf(answer)['message']).toBe('specifying resource version is not allowed when using continue');
});

test('rejects exports', async () => {
  expect(await messages([`${maps}/none?export=1`, `${maps}/a?export=False`])).toEqual([
    '400 the export parameter, deprecated since v1.14, is no longer supported',
    '200 ',
  ]);
});

test('reports unsupported field labels with the message of the kind', async () => {
  expect(
    await messages(['/apis/batch/v1/jobs?fieldSelector=x%3Dy', '/apis/resource.k8s.io/v1/resourceslices?fieldSelector=x%3Dy']),
  ).toEqual(['400 field label "x" not supported for Job', '400 field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: x']);
});
