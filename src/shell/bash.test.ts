import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../env/index.ts';
import { createShell } from './create-shell.ts';
import { createMemoryFiles } from './files.ts';
import { isIncomplete } from './parser.ts';

/** Bash extensions of POSIX shells. The expected outputs were compared with bash 5.2. */
const cases: readonly (readonly [what: string, line: string, out: string, code?: number])[] = [
  ['[[ ]] compares texts, patterns and numbers', "x='a b'; [[ $x == 'a b' && $x == a* && $x != \"a*\" && 10 -gt 9 ]] && echo yes", 'yes\n'],
  ['[[ ]] groups, negates and short-circuits', '[[ ! ( a == b ) || 1 -eq $((1 / 0)) ]] && echo yes', 'yes\n'],
  ['=~ sets BASH_REMATCH', `[[ web-12 =~ ^([a-z]+)-([0-9]+)$ ]] && echo \${BASH_REMATCH[1]} \${BASH_REMATCH[2]}`, 'web 12\n'],
  ['(( )) succeeds for a non-zero value and assigns variables', 'i=5; ((i += 2)); echo $i; ((i == 0)); echo $?', '7\n1\n'],
  ['for (( )) loops', 'for ((i = 0; i < 3; i++)); do echo $i; done', '0\n1\n2\n'],
  [
    'integers have the operators of C',
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
  ['an associative array has string keys', `declare -A m=([a]=1 ['b c']=2); k=a; echo \${m[$k]} "\${m[b c]}" \${#m[@]}`, '1 2 2\n'],
  ['<( ) provides output as a file', "cat <(echo hi); diff <(printf 'a\\nb\\n') <(printf 'a\\nc\\n')", 'hi\n2c2\n< b\n---\n> c\n', 1],
  ['read splits line after line', 'while IFS=, read -r a b; do echo "$b-$a"; done < <(printf \'1,2\\n3,4\\n\')', '2-1\n4-3\n'],
  ['mapfile reads all lines', `mapfile -t lines < <(seq 1 3); echo \${#lines[@]} \${lines[2]}`, '3 3\n'],
  ['|& pipes standard error', 'ls nope |& grep -c nope', '1\n'],
  ['local variables end with their function', 'f() { local x=1 y=$x; echo $x$y; }; x=0; f; echo $x', '10\n0\n'],
  [
    'substrings, case changes, replacement and indirection',
    `s=kubernetes; echo \${s:0:4} \${s: -3} \${s^} \${s^^} \${s/%es/E}; y=s; echo \${!y}`,
    'kube tes Kubernetes KUBERNETES kubernetE\nkubernetes\n',
  ],
  ['an arithmetic error aborts the line', 'echo $((1 / 0)); echo after', '', 1],
  ['(( may start nested subshells', '((echo a); (echo b))', 'a\nb\n'],
  ['timeout returns the exit code of a command that ends in time', 'timeout 5 echo hi; timeout 1 nope; echo $?', 'hi\n127\n'],
];

const errorCases: readonly (readonly [line: string, err: string, code: number])[] = [
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

interface Result {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

function session(clock = createManualClock()): (line: string) => Promise<Result> {
  const env = { clock, random: createSeededRandom(1), log: createMemoryLog() };
  const files = createMemoryFiles({ '/home/me/.keep': '' });
  const shell = createShell({ env, files, connect: () => undefined, variables: { HOME: '/home/me' }, programs: {} });
  return async (line) => {
    const output = { out: '', err: '' };
    const collect = (to: 'out' | 'err') => (text: string) => {
      output[to] += text;
    };
    const code = await shell.run(line, { signal: new AbortController().signal, out: collect('out'), err: collect('err') });
    return { ...output, code };
  };
}

for (const [what, line, out, code = 0] of cases) {
  test(what, async () => {
    expect(await session()(line)).toMatchObject({ out, code });
  });
}

for (const [line, err, code] of errorCases) {
  test(`${line} prints bash's error message`, async () => {
    expect(await session()(line)).toEqual({ out: '', err, code });
  });
}

test('timeout stops a command with exit code 124', async () => {
  const clock = createManualClock();
  let result: Result | undefined;
  void session(clock)('timeout 2s sleep 60; echo $?').then((all) => {
    result = all;
  });
  await expect.poll(() => clock.advance(1_000).then(() => result)).toMatchObject({ out: '124\n' });
});

test("a function's locals do not change the caller's variables", async () => {
  const run = session();
  expect((await run('g() { local x=2; x=3; }; f() { local x=1; g; echo $x; }; f; echo "[$x]"')).out).toBe('1\n[]\n');
});

test('removes the files of process substitutions at the end of the line', async () => {
  const run = session();
  await run('cat <(echo a) > /dev/null');
  expect((await run('ls /dev/fd')).out).toBe('');
});

test('a condition, an array and an arithmetic command may continue on the next line', () => {
  for (const text of ['[[ a == b &&', 'a=(1', 'for ((i=0;', 'cat <(echo']) expect(isIncomplete(text), text).toBe(true);
});
