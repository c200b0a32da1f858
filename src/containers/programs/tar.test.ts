import { expect, test } from 'vitest';
import { TestSandbox } from '../pod/sandbox.test-support.ts';

const run = (script: string): Promise<string> => new TestSandbox({}).run(`cd /tmp; ${script}`);

test('an archive keeps folders, files, links, modes and owners', async () => {
  const script = `mkdir -p from/empty to; echo text > from/file; chmod 640 from/file; chown 7:8 from/file; ln -s file from/link
    tar cf - from | tar xf - -C to; cat to/from/link; stat -c '%a %u:%g' to/from/file; readlink to/from/link; ls to/from`;
  expect(await run(script)).toBe('text\n640 7:8\nfile\nempty\nfile\nlink\n');
});

test('members are listed, selected, and created below the folder', async () => {
  const script = `mkdir -p a/b; echo 1 > a/b/one; echo 2 > a/two; tar -cf a.tar -C a b two; tar -tf a.tar
    mkdir c; tar -xvf a.tar -C c b; ls c; tar -xf a.tar -C c none; echo $?`;
  expect(await run(script)).toBe('b/\nb/one\ntwo\nb/\nb/one\nb\ntar: none: not found in archive\n1\n');
});

test('a leading slash is removed with a message, and parent folders are not left', async () => {
  const script = `mkdir -p w/x; echo 1 > w/x/one; tar cf - /tmp/w/x > w.tar; tar tf w.tar; mkdir d; cd d; tar xf ../w.tar; cat tmp/w/x/one`;
  expect(await run(script)).toBe("tar: removing leading '/' from member names\ntmp/w/x/\ntmp/w/x/one\n1\n");
});

test('missing files, a missing folder and a text that is no archive are errors', async () => {
  expect(await run('tar cf - none > none.tar; echo $?')).toBe(
    'tar: none: No such file or directory\ntar: error exit delayed from previous errors\n1\n',
  );
  expect(await run('tar xf - -C none < /dev/null; echo $?')).toBe("tar: can't change directory to 'none': No such file or directory\n1\n");
  expect(await run('yes | head -n 400 > y; tar xf y; echo $?')).toBe('tar: invalid tar magic\n1\n');
  expect(await run('tar xf none; echo $?')).toBe("tar: can't open 'none': No such file or directory\n1\n");
});

test('a file is replaced, and the options of kubectl cp are accepted', async () => {
  const script = `echo old > file; mkdir s; echo new > s/file; tar cf s.tar -C s file; tar --no-same-permissions --no-same-owner -xmf - < s.tar; cat file`;
  expect(await run(script)).toBe('new\n');
});
