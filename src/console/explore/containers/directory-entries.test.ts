import { expect, test } from 'vitest';
import { joinPath, listCommand, parseEntries } from './directory-entries.ts';

test('the entries of a directory are parsed, directories first', () => {
  const output = [
    'regular file|-rw-r--r--|12|1700000000|/etc/b|c',
    'symbolic link|lrwxrwxrwx|4|1700000000|/etc/a',
    'regular empty file|-rw-r--r--|0|1700000000|/etc/0',
    'directory|drwxr-xr-x|4096|1700000000|/etc/ssl',
    'character special file|crw-rw-rw-|0|1700000000|/etc/null',
    'of a name with a line break',
    '',
  ].join('\n');
  const changedMs = 1_700_000_000_000;
  expect(parseEntries(output)).toEqual([
    { name: 'ssl', type: 'directory', mode: 'drwxr-xr-x', bytes: 4096, changedMs },
    { name: '0', type: 'file', mode: '-rw-r--r--', bytes: 0, changedMs },
    { name: 'a', type: 'link', mode: 'lrwxrwxrwx', bytes: 4, changedMs },
    { name: 'b|c', type: 'file', mode: '-rw-r--r--', bytes: 12, changedMs },
    { name: 'null', type: 'other', mode: 'crw-rw-rw-', bytes: 0, changedMs },
  ]);
});

test('the path of the command ends with one slash', () => {
  expect(listCommand('/')[1]).toBe('/');
  expect(listCommand('/etc')[1]).toBe('/etc/');
});

test.each([
  ['/', 'etc', '/etc'],
  ['/etc', 'ssl/', '/etc/ssl'],
  ['/etc/ssl', '..', '/etc'],
  ['/', '..', '/'],
  ['', './a', '/a'],
])('%s and %s are %s', (directory, name, path) => {
  expect(joinPath(directory, name)).toBe(path);
});
