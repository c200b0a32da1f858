import { expect, test } from 'vitest';
import { TestSandbox } from '../pod/sandbox.test-support.ts';

const run = (script: string): Promise<string> =>
  new TestSandbox({}).run(`cd /tmp; printf 'a\\tb\\nhello world\\n\\tx\\n' > f; printf 'hello\\n' > g; printf 'hxllo\\nz' > h; ${script}`);

test.each([
  ['od f', '0000000 004541 005142 062550 066154 020157 067567 066162 005144\n0000020 074011 000012\n0000023\n'],
  ['od -c f', '0000000   a  \\t   b  \\n   h   e   l   l   o       w   o   r   l   d  \\n\n0000020  \\t   x  \\n\n0000023\n'],
  ['od -An -tx1 g', ' 68 65 6c 6c 6f 0a\n'],
  ['od -Ad -tu2 -j 2 -N 3 g', '0000002 27756   111\n0000005\n'],
  ['od -td4 g; od -tf4 g', '0000000  1819043176        2671\n0000006\n0000000   1.1431415e+27   3.7428682e-42\n0000006\n'],
  ['head -c 100 /dev/zero | od', `0000000${' 000000'.repeat(8)}\n*\n0000140 000000 000000\n0000144\n`],
  ['od -tq g; od -j 100 g; echo $?', "od: invalid character 'q' in type string 'q'\nod: can't skip past end of combined input\n1\n"],
  ['od none g; echo $?', 'od: none: No such file or directory\n0000000 062550 066154 005157\n0000006\n1\n'],
])('od shows bytes: %s', async (script, output) => {
  expect(await run(script)).toBe(output);
});

test.each([
  [
    'xxd f',
    '00000000: 6109 620a 6865 6c6c 6f20 776f 726c 640a  a.b.hello world.\n00000010: 0978 0a                                  .x.\n',
  ],
  ['xxd -s 3 -l 5 -g 1 f', '00000003: 0a 68 65 6c 6c                                   .hell\n'],
  ['xxd -p g; xxd -i g', '68656c6c6f0a\nunsigned char g[] = {\n  0x68, 0x65, 0x6c, 0x6c, 0x6f, 0x0a,\n};\nunsigned int g_len = 6;\n'],
  ['xxd f | xxd -r | cmp - f && xxd -p f | xxd -r -p | cmp - f && echo same', 'same\n'],
  ['xxd none; echo $?', 'xxd: none: No such file or directory\n1\n'],
])('xxd shows bytes and reads them: %s', async (script, output) => {
  expect(await run(script)).toBe(output);
});

test('strings shows the printable parts of a file', async () => {
  expect(await run('strings f; strings -f -t d -n 3 f g; strings none; strings -n 0 f')).toBe(
    'hello world\nf:       0 a\tb\nf:       4 hello world\ng:       0 hello\nstrings: none: No such file or directory\nstrings: number 0 is not in 1..2147483647 range\n',
  );
});

test.each([
  ['cmp g h; echo $?; cmp g g; echo $?', 'g h differ: char 2, line 1\n1\n0\n'],
  ['cmp -l g h; cmp -s g h; echo $?', '2 145 170\ncmp: EOF on g\n1\n'],
  ['cmp g none; echo $?; cmp -n 1 g h; echo $?', 'cmp: none: No such file or directory\n2\n0\n'],
  ['cmp g f 0 4; head -c 3 g | cmp - g', 'g f differ: char 6, line 1\ncmp: EOF on -\n'],
])('cmp compares files: %s', async (script, output) => {
  expect(await run(script)).toBe(output);
});
