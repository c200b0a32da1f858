import { expect, test } from 'vitest';
import { createLink } from '../files/inode.ts';
import { NodeFiles } from './node-files.ts';

test('a path of a node leads through links, and is created where they lead', () => {
  const files = new NodeFiles({ nowMs: () => 0 });
  const tmp = files.hostPath('a', '/tmp', undefined)?.root;
  if (tmp?.type === 'directory') tmp.entries.set('link', createLink('../var/log'));
  const made = files.hostPath('a', '/tmp/link/made', 'directory')?.root;
  expect(made).toMatchObject({ type: 'directory', mode: 0o755 });
  expect(files.hostPath('a', '/var/log/made', undefined)?.root).toBe(made);
  expect(files.hostPath('b', '/var/log/made', undefined)).toBeUndefined();
  expect(files.hostPath('a', '/etc/hosts/made', 'file')).toBeUndefined();
});
