import { expect, test } from 'vitest';
import { TestSandbox } from '../pod/sandbox.test-support.ts';

const run = (script: string): Promise<string> => new TestSandbox({}).run(`cd /tmp; printf 'hello\\n' > g; ${script}`);

test('checksums of files and of the standard input are those of the real programs', async () => {
  const output = await run(
    'md5sum g; sha1sum < g; sha256sum g; sha512sum g | cut -c 1-32; cksum g; cksum < g; /bin/md5sum none -; echo $?',
  );
  expect(output).toBe(
    [
      'b1946ac92492d2347c6235b4d2611184  g',
      'f572d396fae9206628714fb2ce00f72e94f2258f  -',
      '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03  g',
      'e7c22b994c59d9cf2b48e549b1e24666',
      '3015617425 6 g',
      '3015617425 6',
      "md5sum: can't open 'none': No such file or directory",
      'd41d8cd98f00b204e9800998ecf8427e  -',
      '1\n',
    ].join('\n'),
  );
});

test('lists of checksums are checked', async () => {
  const script = `md5sum g > sums; md5sum -c sums; echo $?
    echo bad >> sums; echo 'd41d8cd98f00b204e9800998ecf8427e  g' >> sums; echo 'd41d8cd98f00b204e9800998ecf8427e  nope' >> sums
    md5sum -cw sums; md5sum -cs sums; echo $?; md5sum -c /dev/null; md5sum -c none; md5sum -s g`;
  expect(await run(script)).toBe(
    [
      'g: OK',
      '0',
      'g: OK',
      'md5sum: invalid format',
      'g: FAILED',
      "md5sum: can't open 'nope': No such file or directory",
      'nope: FAILED',
      'md5sum: WARNING: 3 of 4 computed checksums did NOT match',
      "md5sum: can't open 'nope': No such file or directory",
      '1',
      'md5sum: /dev/null: no checksum lines found',
      "md5sum: can't open 'none': No such file or directory",
      'Usage: md5sum [-c[sw]] [FILE]...\n',
    ].join('\n'),
  );
});

test('options that a tool does not have, and folders, are errors', async () => {
  expect(await run('md5sum -x g; echo $?; sha1sum .; echo $?')).toBe(
    "md5sum: invalid option -- 'x'\n1\nsha1sum: can't read '.': Is a directory\n1\n",
  );
});

test('a checksum that is interrupted is not printed', async () => {
  expect(await run('yes | timeout 0.05 md5sum; echo $?')).toBe('124\n');
});

test('endless input lets other containers run, and ends with its process', async () => {
  const [endless, other] = [new TestSandbox({}), new TestSandbox({})];
  const container = await endless.start({ command: ['sh', '-c', 'yes | md5sum'] });
  await endless.advance(1);
  expect(await other.run('echo still here')).toBe('still here\n');
  container.kill();
  expect(container.exit?.code).toBe(137);
});
