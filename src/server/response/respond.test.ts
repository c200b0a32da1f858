import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../env/index.ts';
import { createLibraryCluster } from '../../hosts/library/index.ts';
import { createMemoryKeySpace } from '../../storage/index.ts';

const forms = [
  ['application/json', ''],
  ['application/json', '&pretty=1'],
  ['application/yaml', ''],
  ['application/json;as=Table;v=v1;g=meta.k8s.io', ''],
  ['application/json;as=Table;v=v1;g=meta.k8s.io', '&includeObject=Object&pretty=1'],
  ['application/yaml;as=Table;v=v1;g=meta.k8s.io', ''],
  ['application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io', ''],
  ['application/yaml;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io', ''],
] as const;

test('a long list, which is made in slices, is the same text as its pages', async () => {
  const clock = createManualClock();
  const env = { clock, random: createSeededRandom(1), log: createMemoryLog() };
  const { handle } = await createLibraryCluster(env, createMemoryKeySpace, { names: 'kubernetes' });
  const send = async (method: string, target: string, accept: string, body?: string): Promise<string> => {
    const headers = new Headers({ authorization: 'Bearer admin-token', accept, 'content-type': 'application/json' });
    const signal = new AbortController().signal;
    const response = await handle({
      method,
      target,
      headers,
      signal,
      body: body === undefined ? undefined : new TextEncoder().encode(body),
    });
    return response.body instanceof Uint8Array ? new TextDecoder().decode(response.body) : String(response.body);
  };
  const at = '/api/v1/namespaces/default/configmaps';
  for (let index = 0; index < 450; index++) {
    const data = { text: `"items": [ ${index} \n rows:\n]}` };
    await send('POST', at, 'application/json', JSON.stringify({ metadata: { name: `list-${String(index).padStart(3, '0')}` }, data }));
  }
  const tokens = [''];
  for (let token: string | undefined = ''; token !== undefined; ) {
    const page = await send('GET', `${at}?limit=150&continue=${token}`, 'application/json');
    token = JSON.parse(page).metadata.continue;
    if (token !== undefined) tokens.push(token);
  }
  for (const [accept, query] of forms) {
    const whole = await send('GET', `${at}?labelSelector=!none${query}`, accept);
    const pages = await Promise.all(tokens.map((token) => send('GET', `${at}?limit=150&continue=${token}${query}`, accept)));
    const names = (text: string) => text.match(/list-\d{3}/g)?.filter((name, index, all) => name !== all[index - 1]);
    expect(names(whole)).toEqual(pages.flatMap((page) => names(page) ?? []));
    if (!accept.startsWith('application/json')) continue;
    const itemsOf = (text: string): unknown[] => JSON.parse(text).items ?? JSON.parse(text).rows;
    expect(itemsOf(whole)).toEqual(pages.flatMap(itemsOf));
    expect(whole).toBe(query.includes('pretty') ? indented(whole) : `${JSON.stringify(JSON.parse(whole))}\n`);
  }
});

const indented = (text: string): string => JSON.stringify(JSON.parse(text), undefined, 2);
