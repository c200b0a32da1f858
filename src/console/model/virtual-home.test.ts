import { expect, test } from 'vitest';
import { createMemoryStore, type KeyValueStore } from './keep.ts';
import { type HomeChange, openVirtualHome, type VirtualHome } from './virtual-home.ts';

const defaults = { '/home/me/.kube/config': 'kubeconfig', '/home/me/shop.yaml': 'shop' };

function open(
  keep: KeyValueStore,
  files: Readonly<Record<string, string>> = defaults,
  tell: (change: HomeChange) => void = () => undefined,
) {
  return openVirtualHome(keep, async () => files, tell);
}

async function textsOf(home: VirtualHome): Promise<Record<string, string>> {
  return Object.fromEntries(await Promise.all(home.paths().map(async (path) => [path, await home.readText(path)])));
}

test('a written file is there on the next visit beside the default files', async () => {
  const keep = createMemoryStore();
  await (await open(keep)).writeText('/home/me/a.txt', 'a');
  expect(await textsOf(await open(keep))).toEqual({ ...defaults, '/home/me/a.txt': 'a' });
});

test('a default file that was changed stays changed, the others stay as they are', async () => {
  const keep = createMemoryStore();
  await (await open(keep)).writeText('/home/me/.kube/config', 'as alice');
  expect(await textsOf(await open(keep))).toEqual({ ...defaults, '/home/me/.kube/config': 'as alice' });
});

test('a home that lost its default files has them again, and keeps its own', async () => {
  const keep = createMemoryStore();
  // As releases before this stored it: files alone.
  await keep.set('file:/home/me/a.txt', new TextEncoder().encode('a'));
  await keep.set('file:/home/me/.kube/config', new TextEncoder().encode('as alice'));
  expect(await textsOf(await open(keep))).toEqual({
    '/home/me/.kube/config': 'as alice',
    '/home/me/a.txt': 'a',
    '/home/me/shop.yaml': 'shop',
  });
});

test('a default file that was deleted stays deleted until it is written again, also one that was changed before', async () => {
  const keep = createMemoryStore();
  const first = await open(keep);
  await first.writeText('/home/me/.kube/config', 'changed');
  await first.files.remove('/home/me/.kube');
  await first.files.remove('/home/me/shop.yaml');
  const second = await open(keep);
  expect(await textsOf(second)).toEqual({});
  await second.writeText('/home/me/shop.yaml', 'mine');
  expect(await textsOf(await open(keep))).toEqual({ '/home/me/shop.yaml': 'mine' });
});

test('nothing is left of a deleted file that is no default', async () => {
  const keep = createMemoryStore();
  const home = await open(keep);
  await home.writeText('/home/me/a.txt', 'a');
  await home.files.remove('/home/me/a.txt');
  expect(await keep.entries('')).toEqual([]);
});

test('new defaults of a later release appear, and changed ones where the user has not written their file', async () => {
  const keep = createMemoryStore();
  const home = await open(keep);
  await home.writeText('/home/me/.kube/config', 'mine');
  const later = { '/home/me/.kube/config': 'later', '/home/me/shop.yaml': 'later', '/home/me/new.yaml': 'new' };
  expect(await textsOf(await open(keep, later))).toEqual({ ...later, '/home/me/.kube/config': 'mine' });
});

test('a file where a default needs a directory does not keep the home from opening', async () => {
  const keep = createMemoryStore();
  await keep.set('file:/home/me/.kube', new TextEncoder().encode('a file'));
  expect(await textsOf(await open(keep))).toEqual({ '/home/me/.kube': 'a file', '/home/me/shop.yaml': 'shop' });
});

test('tabs see the changes of each other, and only the one that makes a change stores it', async () => {
  const keep = createMemoryStore();
  const other = await open(keep);
  const home = await open(keep, defaults, (change) => void other.applyChange(change));
  await home.writeText('/home/me/a.txt', 'a');
  await home.files.remove('/home/me/shop.yaml');
  expect(await textsOf(other)).toEqual(await textsOf(home));
  const heard = await open(createMemoryStore());
  await Promise.all([heard.applyChange({ path: '/home/me/b.txt', content: new Uint8Array([98]) }), heard.writeText('/home/me/c.txt', 'c')]);
  expect(heard.paths()).toEqual(['/home/me/.kube/config', '/home/me/b.txt', '/home/me/c.txt', '/home/me/shop.yaml']);
});

test('a file that cannot be stored is as it was before, and the writer is told', async () => {
  const keep = createMemoryStore();
  const full: KeyValueStore = { ...keep, set: () => Promise.reject(new DOMException('full', 'QuotaExceededError')) };
  const home = await open(full);
  await expect(home.writeText('/home/me/shop.yaml', 'larger')).rejects.toMatchObject({ code: 'no-space' });
  await expect(home.writeText('/home/me/a.txt', 'a')).rejects.toMatchObject({ code: 'no-space' });
  await expect(home.files.write('/home/me/none/a.txt', new Uint8Array())).rejects.toMatchObject({ code: 'not-found' });
  expect(await textsOf(home)).toEqual(defaults);
});
