import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { SystemError } from './file-error.ts';
import { FileTree, type FileUser } from './file-tree.ts';
import { createDirectory, createFile, createLink, type Directory } from './inode.ts';
import { type Mount, MountTable } from './mount-table.ts';
import { VolumeStore } from './volume-store.ts';

const root: FileUser = { uid: 0, gid: 0, groups: [], umask: 0o022 };
const user: FileUser = { uid: 1000, gid: 1000, groups: [2000], umask: 0o022 };

const image = (): Directory =>
  createDirectory({ isShared: true }, [
    ['etc', createDirectory({ isShared: true }, [['config', createFile('image', { isShared: true })]])],
    ['tmp', createDirectory({ isShared: true, mode: 0o1777 })],
    ['loop', createLink('/loop', { isShared: true })],
  ]);

const layerOf = (shared: Directory, isReadOnly = false): Mount => ({
  path: '/',
  root: shared,
  isReadOnly,
  store: new VolumeStore('overlay', 1000),
});

const treeOf = (layer: Mount, mounts: readonly Mount[] = []): FileTree => new FileTree(new MountTable(layer, mounts), createManualClock());

const textOf = (files: FileTree, path: string, as: FileUser = root): string => new TextDecoder().decode(files.read(path, as));

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'done';
  } catch (error) {
    if (error instanceof SystemError) return error.code;
    throw error;
  }
}

test('a write copies a file of the image: other containers see the old one', () => {
  const shared = image();
  const [first, second] = [treeOf(layerOf(shared)), treeOf(layerOf(shared))];
  first.write('/etc/config', 'changed', root);
  first.open('/etc/config', root, { append: true }).write(new TextEncoder().encode('!'));
  first.changeMode('/tmp', 0o700, root);
  expect([textOf(first, '/etc/config'), textOf(second, '/etc/config')]).toEqual(['changed!', 'image']);
  expect(second.status('/tmp', root).inode.mode).toBe(0o1777);
});

test('modes and owners decide what a user may do', () => {
  const files = treeOf(layerOf(image()));
  files.write('/tmp/secret', 'x', root, 0o600);
  expect(codeOf(() => files.read('/tmp/secret', user))).toBe('EACCES');
  expect(codeOf(() => files.write('/etc/new', 'x', user))).toBe('EACCES');
  expect(codeOf(() => files.remove('/tmp/secret', user))).toBe('EPERM');
  files.changeOwner('/tmp/secret', undefined, 2000, root);
  files.changeMode('/tmp/secret', 0o640, root);
  expect(textOf(files, '/tmp/secret', user)).toBe('x');
  files.write('/tmp/own', 'y', user);
  const { inode } = files.status('/tmp/own', user);
  expect([inode.uid, inode.gid, inode.mode.toString(8)]).toEqual([1000, 1000, '644']);
  expect(codeOf(() => files.changeOwner('/tmp/own', 0, undefined, user))).toBe('EPERM');
});

test('links are followed through mounts, relative ones from their folder', () => {
  const volume = createDirectory({ mode: 0o777 });
  const files = treeOf(layerOf(image()), [{ path: '/data', root: volume, isReadOnly: false, store: new VolumeStore('ext4', 100) }]);
  files.write('/data/a', 'content', root);
  files.makeLink('a', '/data/b', root);
  files.makeLink('../data/b', '/tmp/c', root);
  expect(textOf(files, '/tmp/c')).toBe('content');
  expect(files.status('/tmp/c', root, false).inode.type).toBe('link');
  expect(codeOf(() => files.read('/loop', root))).toBe('ELOOP');
  expect(codeOf(() => files.read('/etc/config/x', root))).toBe('ENOTDIR');
  expect(codeOf(() => files.read('/none/x', root))).toBe('ENOENT');
});

test('a read-only mount and a full volume refuse writes', () => {
  const files = treeOf(layerOf(image(), true), [
    { path: '/tmp', root: createDirectory(), isReadOnly: false, store: new VolumeStore('tmpfs', 4) },
  ]);
  expect(codeOf(() => files.write('/etc/config', 'x', root))).toBe('EROFS');
  expect(codeOf(() => files.write('/tmp/a', '12345', root))).toBe('ENOSPC');
  files.write('/tmp/a', '1234', root);
  expect(codeOf(() => files.write('/tmp/b', '1', root))).toBe('ENOSPC');
  files.remove('/tmp/a', root);
  files.write('/tmp/b', '1234', root);
  expect(codeOf(() => files.remove('/tmp', root, true))).toBe('EBUSY');
});

test('folders are removed when they are empty, and renamed with their content', () => {
  const files = treeOf(layerOf(image()));
  files.makeDirectory('/tmp/a', root);
  files.write('/tmp/a/x', '1', root);
  expect(codeOf(() => files.remove('/tmp/a', root, true))).toBe('ENOTEMPTY');
  expect(codeOf(() => files.rename('/tmp/a', '/tmp/a/b', root))).toBe('EINVAL');
  files.rename('/tmp/a', '/tmp/b', root);
  expect([textOf(files, '/tmp/b/x'), codeOf(() => files.list('/tmp/a', root))]).toEqual(['1', 'ENOENT']);
  files.makeHardLink('/tmp/b/x', '/tmp/y', root);
  files.write('/tmp/y', '2', root);
  expect(textOf(files, '/tmp/b/x')).toBe('2');
});
