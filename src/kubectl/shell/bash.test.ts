import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../env/index.ts';
import { createShell } from './create-shell.ts';
import { createMemoryFiles } from './files.ts';
import { isIncomplete } from './parser.ts';

/** What bash has beyond a plain shell; each answer was compared with bash 5.2's own. */
const cases: readonly (readonly [what: string, line: string, out: string, code?: number])[] = [
  ['[[ ]] compares texts, patterns and numbers', "x='a b'; [[ $x == 'a b' && $x == a* && $x != \"a*\" && 10 -gt 9 ]] && echo yes", 'yes\n'],
  ['[[ ]] groups, negates and leaves out', '[[ ! ( a == b ) || 1 -eq $((1 / 0)) ]] && echo yes', 'yes\n'],
  ['what a pattern of [[ found is kept', `[[ web-12 =~ ^([a-z]+)-([0-9]+)$ ]] && echo \${BASH_REMATCH[1]} \${BASH_REMATCH[2]}`, 'web 12\n'],
  ['(( )) succeeds when it is not nothing, and changes variables', 'i=5; ((i += 2)); echo $i; ((i == 0)); echo $?', '7\n1\n'],
  ['for (( )) counts', 'for ((i = 0; i < 3; i++)); do echo $i; done', '0\n1\n2\n'],
  [
    'whole numbers have all operators of C',
    'echo $((2 ** 10)) $((-7 / 2)) $((1 << 4)) $((0xff)) $((5 > 3 ? 1 : 0)) $((9223372036854775807 + 1))',
    '1024 -3 16 255 1 -9223372036854775808\n',
  ],
  [
    'an array has elements, keys and a length',
    `a=(x 'y z'); a+=(w); a[5]=v; echo "\${a[1]}" \${a[-1]} \${#a[@]} \${!a[@]}`,
    'y z v 4 0 1 2 5\n',
  ],
  [
    'each element of an array is a word',
    `a=('b c' d); for e in "\${a[@]}"; do echo "<$e>"; done; echo \${a[@]:1} \${a[@]/d/X}`,
    '<b c>\n<d>\nd b c X\n',
  ],
  ['an array may have texts for keys', `declare -A m=([a]=1 ['b c']=2); k=a; echo \${m[$k]} "\${m[b c]}" \${#m[@]}`, '1 2 2\n'],
  [
    "a command's output stands where a file is wanted",
    "cat <(echo hi); diff <(printf 'a\\nb\\n') <(printf 'a\\nc\\n')",
    'hi\n2c2\n< b\n---\n> c\n',
    1,
  ],
  [
    'lines are read one after another, and split',
    'while IFS=, read -r a b; do echo "$b-$a"; done < <(printf \'1,2\\n3,4\\n\')',
    '2-1\n4-3\n',
  ],
  ['mapfile takes all lines', `mapfile -t lines < <(seq 1 3); echo \${#lines[@]} \${lines[2]}`, '3 3\n'],
  ['|& passes errors on', 'ls nope |& grep -c nope', '1\n'],
  ['local variables are gone with their function', 'f() { local x=1 y=$x; echo $x$y; }; x=0; f; echo $x', '10\n0\n'],
  [
    'parts and cases of texts',
    `s=kubernetes; echo \${s:0:4} \${s: -3} \${s^} \${s^^} \${s/%es/E}; y=s; echo \${!y}`,
    'kube tes Kubernetes KUBERNETES kubernetE\nkubernetes\n',
  ],
  ['what cannot be reckoned ends the line', 'echo $((1 / 0)); echo after', '', 1],
  ['two brackets may be two subshells', '((echo a); (echo b))', 'a\nb\n'],
  ['timeout lets through what is quick', 'timeout 5 echo hi; timeout 1 nope; echo $?', 'hi\n127\n'],
];

const refusals: readonly (readonly [line: string, err: string, code: number])[] = [
  ['[ = y ]', 'sh: [: =: unary operator expected\n', 2],
  ['[ a -eq 1 ]', 'sh: [: a: integer expression expected\n', 2],
  ['[ a b c d e ]', 'sh: [: too many arguments\n', 2],
  ['((1 +))', 'sh: ((: 1 +: syntax error: operand expected (error token is "+")\n', 1],
  ['echo $((08))', 'sh: 08: value too great for base (error token is "08")\n', 1],
  ['[[ a b ]]', "sh: conditional binary operator expected\nsh: syntax error near `b'\n", 2],
  ['a[-1]=2', 'sh: a[-1]: bad array subscript\n', 1],
  ['readonly x=1; x=2; echo no', 'sh: x: readonly variable\n', 1],
  ['local x', 'sh: local: can only be used in a function\n', 1],
  [`x=abc; echo \${x:1:-3}`, 'sh: -3: substring expression < 0\n', 1],
  ['timeout a echo', "timeout: invalid time interval 'a'\nTry 'timeout --help' for more information.\n", 125],
];

interface Said {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

function session(clock = createManualClock()): (line: string) => Promise<Said> {
  const env = { clock, random: createSeededRandom(1), log: createMemoryLog() };
  const files = createMemoryFiles({ '/home/me/.keep': '' });
  const shell = createShell({ env, files, connect: () => undefined, variables: { HOME: '/home/me' }, programs: {} });
  return async (line) => {
    const said = { out: '', err: '' };
    const tell = (to: 'out' | 'err') => (text: string) => {
      said[to] += text;
    };
    const code = await shell.run(line, { signal: new AbortController().signal, out: tell('out'), err: tell('err') });
    return { ...said, code };
  };
}

for (const [what, line, out, code = 0] of cases) {
  test(what, async () => {
    expect(await session()(line)).toMatchObject({ out, code });
  });
}

for (const [line, err, code] of refusals) {
  test(`what is wrong with ${line} is said in bash's words`, async () => {
    expect(await session()(line)).toEqual({ out: '', err, code });
  });
}

test('what takes longer than its time is stopped, with 124', async () => {
  const clock = createManualClock();
  let said: Said | undefined;
  void session(clock)('timeout 2s sleep 60; echo $?').then((all) => {
    said = all;
  });
  await expect.poll(() => clock.advance(1_000).then(() => said)).toMatchObject({ out: '124\n' });
});

test('a function leaves the variables of the one that called it as they were', async () => {
  const run = session();
  expect((await run('g() { local x=2; x=3; }; f() { local x=1; g; echo $x; }; f; echo "[$x]"')).out).toBe('1\n[]\n');
});

test('nothing of what stood where files are wanted is left', async () => {
  const run = session();
  await run('cat <(echo a) > /dev/null');
  expect((await run('ls /dev/fd')).out).toBe('');
});

test('a condition, an array and a calculation may go on in the next line', () => {
  for (const text of ['[[ a == b &&', 'a=(1', 'for ((i=0;', 'cat <(echo']) expect(isIncomplete(text), text).toBe(true);
});
