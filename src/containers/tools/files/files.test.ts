import { expect, test } from 'vitest';
import { TestSandbox } from '../../pod/sandbox.test-support.ts';

const run = (script: string): Promise<string> => new TestSandbox({}).run(`cd /tmp; echo text > g; ${script}`);

test.each([
  ['for path in / //a//b// a a/ /a /a/b/c "" . ..; do dirname "$path"; done', '/\n//a\n.\n.\n/\n/a/b\n.\n.\n.\n'],
  ['dirname; echo $?', 'BusyBox v1.36.1 (2023-05-18 22:34:17 UTC) multi-call binary.\n\nUsage: dirname FILENAME\n1\n'],
  [
    'mkdir d; ln -s d l; touch d/x; realpath . l/x ../tmp/g none; echo $?',
    '/tmp\n/tmp/d/x\n/tmp/g\nrealpath: none: No such file or directory\n1\n',
  ],
  [
    'link g h; stat -c %h g; link g h; link none x; unlink h; unlink h; unlink .',
    "2\nlink: can't create hardlink 'h' to 'g': File exists\nlink: can't create hardlink 'x' to 'none': No such file or directory\nunlink: can't remove file 'h': No such file or directory\nunlink: can't remove file '.': Is a directory\n",
  ],
  [
    'truncate -s 2 g; cat g; echo; truncate -s 1k g new; stat -c %s g new; truncate -c -s 5 none; truncate -s x g; truncate -s 1 none/x; echo $?',
    "te\n1024\n1024\ntruncate: invalid number 'x'\ntruncate: none/x: open: No such file or directory\n1\n",
  ],
  [
    'install g h; stat -c %a h; install -m 640 -o 7 -g 8 g h; stat -c "%a %u:%g" h; install -d a/b/c; install -D g e/f/x; install g h a/b; ls a/b e/f; install none x; install g; echo $?',
    "755\n640 7:8\na/b:\nc\ng\nh\n\ne/f:\nx\ninstall: can't stat 'none': No such file or directory\nBusyBox v1.36.1 (2023-05-18 22:34:17 UTC) multi-call binary.\n\nUsage: install [-cdDs] [-o USER] [-g GRP] [-m MODE] [SOURCE]... DEST\n1\n",
  ],
])('%s', async (script, output) => {
  expect(await run(script)).toBe(output);
});

test('a file of 1 TB does not fit, and its container runs on', async () => {
  const pod = new TestSandbox({ volumes: [{ name: 'v', emptyDir: { sizeLimit: '1Mi', medium: 'Memory' } }] });
  expect(await pod.run('truncate -s 1024g /v/x; echo $?', { volumeMounts: [{ name: 'v', mountPath: '/v' }] })).toBe(
    'truncate: /v/x: truncate: No space left on device\n1\n',
  );
});
