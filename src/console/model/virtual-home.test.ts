import { expect, test } from 'vitest';
import { createMemoryStore, type KeyValueStore } from './key-value-store.ts';
import { type HomeChange, openVirtualHome, type VirtualHome } from './virtual-home.ts';

const defaults = { '/home/me/.kube/config': 'kubeconfig', '/home/me/shop.yaml': 'shop' };

function open(
  store: KeyValueStore,
  files: Readonly<Record<string, string>> = defaults,
  onChange: (change: HomeChange) => void = () => undefined,
) {
  return openVirtualHome(store, async () => files, onChange);
}

async function textsOf(home: VirtualHome): Promise<Record<string, string>> {
  return Object.fromEntries(await Promise.all(home.paths().map(async (path) => [path, await home.readText(path)])));
}

test('restores a written file and the default files', async () => {
  const store = createMemoryStore();
  await (await open(store)).writeText('/home/me/a.txt', 'a');
  expect(await textsOf(await open(store))).toEqual({ ...defaults, '/home/me/a.txt': 'a' });
});

test('retains a changed default file, and the others unchanged', async () => {
  const store = createMemoryStore();
  await (await open(store)).writeText('/home/me/.kube/config', 'as alice');
  expect(await textsOf(await open(store))).toEqual({ ...defaults, '/home/me/.kube/config': 'as alice' });
});

test('a home that lost its default files restores them, and retains its own', async () => {
  const store = createMemoryStore();
  // As releases before this stored it: files alone.
  await store.set('file:/home/me/a.txt', new TextEncoder().encode('a'));
  await store.set('file:/home/me/.kube/config', new TextEncoder().encode('as alice'));
  expect(await textsOf(await open(store))).toEqual({
    '/home/me/.kube/config': 'as alice',
    '/home/me/a.txt': 'a',
    '/home/me/shop.yaml': 'shop',
  });
});

test('a deleted default file stays deleted until it is written again, even if it was changed before', async () => {
  const store = createMemoryStore();
  const first = await open(store);
  await first.writeText('/home/me/.kube/config', 'changed');
  await first.files.remove('/home/me/.kube');
  await first.files.remove('/home/me/shop.yaml');
  const second = await open(store);
  expect(await textsOf(second)).toEqual({});
  await second.writeText('/home/me/shop.yaml', 'mine');
  expect(await textsOf(await open(store))).toEqual({ '/home/me/shop.yaml': 'mine' });
});

test('removes a deleted file that is not a default completely', async () => {
  const store = createMemoryStore();
  const home = await open(store);
  await home.writeText('/home/me/a.txt', 'a');
  await home.files.remove('/home/me/a.txt');
  expect(await store.entries('')).toEqual([]);
});

test('new defaults of a later release appear, and changed ones where the user has not written their file', async () => {
  const store = createMemoryStore();
  const home = await open(store);
  await home.writeText('/home/me/.kube/config', 'mine');
  const later = { '/home/me/.kube/config': 'later', '/home/me/shop.yaml': 'later', '/home/me/new.yaml': 'new' };
  expect(await textsOf(await open(store, later))).toEqual({ ...later, '/home/me/.kube/config': 'mine' });
});

test('a file where a default needs a directory does not prevent the home from opening', async () => {
  const store = createMemoryStore();
  await store.set('file:/home/me/.kube', new TextEncoder().encode('a file'));
  expect(await textsOf(await open(store))).toEqual({ '/home/me/.kube': 'a file', '/home/me/shop.yaml': 'shop' });
});

test('tabs apply the changes of other tabs, and only the writing tab stores them', async () => {
  const store = createMemoryStore();
  const other = await open(store);
  const home = await open(store, defaults, (change) => void other.applyChange(change));
  await home.writeText('/home/me/a.txt', 'a');
  await home.files.remove('/home/me/shop.yaml');
  expect(await textsOf(other)).toEqual(await textsOf(home));
  const heard = await open(createMemoryStore());
  await Promise.all([heard.applyChange({ path: '/home/me/b.txt', content: new Uint8Array([98]) }), heard.writeText('/home/me/c.txt', 'c')]);
  expect(heard.paths()).toEqual(['/home/me/.kube/config', '/home/me/b.txt', '/home/me/c.txt', '/home/me/shop.yaml']);
});

test('a file that cannot be stored is unchanged, and the write rejects', async () => {
  const store = createMemoryStore();
  const full: KeyValueStore = { ...store, set: () => Promise.reject(new DOMException('full', 'QuotaExceededError')) };
  const home = await open(full);
  await expect(home.writeText('/home/me/shop.yaml', 'larger')).rejects.toMatchObject({ code: 'no-space' });
  await expect(home.writeText('/home/me/a.txt', 'a')).rejects.toMatchObject({ code: 'no-space' });
  await expect(home.files.write('/home/me/none/a.txt', new Uint8Array())).rejects.toMatchObject({ code: 'not-found' });
  expect(await textsOf(home)).toEqual(defaults);
});
