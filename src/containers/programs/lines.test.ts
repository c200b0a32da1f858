import { expect, test } from 'vitest';
import { TestSandbox } from '../pod/sandbox.test-support.ts';

const files = `printf 'a\\tb\\nhello world foo bar\\n\\n\\tx\\n' > f; printf 'hello\\n' > g; printf '1\\n3\\n5\\n' > c1; printf '3\\n4\\n' > c2`;
const run = (script: string): Promise<string> => new TestSandbox({}).run(`cd /tmp; ${files}; ${script}`);

test.each([
  ['nl f', '     1\ta\tb\n     2\thello world foo bar\n       \n     3\t\tx\n'],
  ['nl -ba -w3 -s: -v5 -i2 f', '  5:a\tb\n  7:hello world foo bar\n  9:\n 11:\tx\n'],
  ['fold -w5 f', 'a\n\t\nb\nhello\n worl\nd foo\n bar\n\n\t\nx\n'],
  ['fold -sw8 f', 'a\t\nb\nhello \nworld \nfoo bar\n\n\t\nx\n'],
  ['fold -w0 f; fold -3 g', 'fold: number 0 is not in 1..10000 range\nhel\nlo\n'],
  ['expand f; expand -i -t 4 f', 'a       b\nhello world foo bar\n\n        x\na\tb\nhello world foo bar\n\n    x\n'],
  ['printf "        x       y\\n" > t; unexpand t; unexpand -a t', '\tx       y\n\tx\ty\n'],
  ['paste -d: c1 c2; paste -s -d, c1 g; paste - - < c1', '1:3\n3:4\n5:\n1,3,5\nhello\n1\t3\n5\t\n'],
  ['paste none; echo $?', 'paste: none: No such file or directory\n1\n'],
  ['comm c1 c2; comm -13 c1 c2; comm -12 c1 c2', '1\n\t\t3\n\t4\n5\n4\n3\n'],
  ['comm c1 none; echo $?', "comm: can't open 'none': No such file or directory\n1\n"],
  ['shuf -i 1-9 | sort | paste -s -d ""; shuf -e a; shuf c1 | sort | paste -s; shuf -n 2 c1 | wc -l', '123456789\na\n1\t3\t5\n2\n'],
  ['shuf -i 3-1; shuf -n x', "shuf: bad range '3-1'\nshuf: invalid number 'x'\n"],
  [
    'factor 12 97 1 18446744073709551615; echo 30 40 | factor',
    '12: 2 2 3\n97: 97\n1:\n18446744073709551615: 3 5 17 257 641 65537 6700417\n30: 2 3 5\n40: 2 2 2 5\n',
  ],
  [
    'unix2dos g; od -c g; dos2unix g; od -c g; dos2unix none',
    "0000000   h   e   l   l   o  \\r  \\n\n0000007\n0000000   h   e   l   l   o  \\n\n0000006\ndos2unix: can't open 'none': No such file or directory\n",
  ],
  [
    'mkdir s; cd s; split -l 2 ../c1; ls; cat xab; split -b 3 ../c1 p; cat pab; split -a 1 -b 1k none; seq 30 | split -a 1 -l 1; ls | wc -l',
    "xaa\nxab\n5\n\n5\nsplit: can't open 'none': No such file or directory\nsplit: suffixes exhausted\n30\n",
  ],
])('%s', async (script, output) => {
  expect(await run(script)).toBe(output);
});

test('commands that need endless memory end with an error', async () => {
  expect(
    await run(
      'shuf -i 1-4000000000 -n 1 | wc -l; shuf -i 1-4000000000 | wc -c; yes | head -n 1024 > y; for i in $(seq 10); do cat y y > z; mv z y; done; shuf -n 1 y',
    ),
  ).toMatch(/^1\nshuf: out of memory\n\d+\nshuf: out of memory\n$/);
});

test('an endless line is read in parts', async () => {
  const pod = new TestSandbox({});
  const container = await pod.start({
    command: ['sh', '-c', 'yes | tr -d "\\n" | fold | head -n 2; while true; do printf aaaaaaaaaaaaaaaa; done | nl'],
  });
  await pod.advance(1);
  container.kill();
  expect(container.exit?.code).toBe(137);
});
