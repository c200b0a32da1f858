import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import { startTestCluster } from '../test-cluster.test-support.ts';

const asTable = { accept: 'application/json;as=Table;g=meta.svc;v=v1' };
const documents = ['/', '/api', '/apis', '/healthz?verbose', '/livez?verbose', '/readyz?verbose', '/metrics', '/metrics/slis', '/version'];

/** Allowed occurrences of the product's name under the neutral names, each with its reason. */
const allowed: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^kubernetes_(?:build_info|feature_enabled|healthcheck)/, 'metric names are the same under both names'],
  [/^k8s$/, 'a word in the help of a metric'],
  [/kube-aggregator/, 'the name of a part, which the table of names leaves as it is'],
];

/** Words of an answer that include the real product's name. */
function namesIn(text: string): readonly string[] {
  return text.match(/[\w./-]*(?:kubernetes|k8s|kube-)[\w./-]*/g) ?? [];
}

test("no answer has the real product's names under the neutral ones", { timeout: 60_000 }, async () => {
  const { send } = await startTestCluster({ product: productByName('svc') });
  const textOf = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> => {
    const { headers: sent, body } = await send('GET', path, undefined, headers);
    return `${JSON.stringify(sent)} ${typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array)}`;
  };
  const jsonOf = async (path: string): Promise<unknown> => JSON.parse(String((await send('GET', path)).body));
  const { groups } = (await jsonOf('/apis')) as { groups: readonly { versions: readonly { groupVersion: string }[] }[] };
  const versions = ['/api/v1', ...groups.flatMap((group) => group.versions.map(({ groupVersion }) => `/apis/${groupVersion}`))];
  const found = new Map<string, string>();
  const inspect = (path: string, text: string): void => {
    for (const name of namesIn(text)) if (!allowed.some(([pattern]) => pattern.test(name))) found.set(name, path);
  };
  for (const path of documents) inspect(path, await textOf(path));
  for (const version of versions) {
    inspect(version, await textOf(version));
    const { resources } = (await jsonOf(version)) as { resources: readonly { name: string; verbs: readonly string[] }[] };
    for (const { name } of resources.filter(({ verbs }) => verbs.includes('list'))) {
      inspect(`${version}/${name}`, await textOf(`${version}/${name}`));
      inspect(`${version}/${name} as a table`, await textOf(`${version}/${name}`, asTable));
    }
  }
  expect([...found]).toEqual([]);
});
