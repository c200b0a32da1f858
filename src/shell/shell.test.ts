import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../env/index.ts';
import { basicPrograms } from './builtins/basic.ts';
import { createShell } from './create-shell.ts';
import { createMemoryFiles } from './files.ts';
import { isIncomplete } from './parser.ts';

function session(
  files: Readonly<Record<string, string>> = {},
  allow: readonly string[] = [],
): (line: string) => Promise<{ out: string; err: string; code: number }> {
  const shell = createShell({
    env: { clock: createManualClock(), random: createSeededRandom(1), log: createMemoryLog() },
    files: createMemoryFiles({ '/home/me/.keep': '', ...files }),
    connect: () => undefined,
    variables: { HOME: '/home/me', do: '--dry-run=client -o yaml' },
    programs: {},
    allow,
  });
  return async (line) => {
    const output = { out: '', err: '' };
    const code = await shell.run(line, {
      signal: new AbortController().signal,
      out: (text) => {
        output.out += text;
      },
      err: (text) => {
        output.err += text;
      },
    });
    return { ...output, code };
  };
}

const cases: readonly (readonly [what: string, line: string, out: string, code?: number])[] = [
  ['blanks separate words', 'echo a   b', 'a b\n'],
  ['quotes preserve blanks', `echo 'a  b' "c  d" e\\ f`, 'a  b c  d e f\n'],
  ['variables are expanded outside single quotes', `x=1; echo $x "\${x}2" '$x'`, '1 12 $x\n'],
  ['an unquoted variable is split', 'for w in $do; do echo $w; done', '--dry-run=client\n-o\nyaml\n'],
  ['an empty quoted word is a word', `for w in "" a; do echo "<$w>"; done`, '<>\n<a>\n'],
  ['a default replaces an unset variable', `echo \${nope:-x} \${nope-y} \${HOME:+z}`, 'x y z\n'],
  ['patterns trim prefixes and suffixes', `f=a/b.yaml; echo \${f%.yaml} \${f##*/} \${f/a/c} \${#f}`, 'a/b b.yaml c/b.yaml 8\n'],
  ['command substitution removes trailing newlines', 'echo "<$(printf "a\\n\\n")>" `echo b`', '<a> b\n'],
  ['arithmetic expansion', 'i=3; echo $((i * 2 + 1)) $(( (1+2) % 2 ))', '7 1\n'],
  ['a pipe connects commands', 'printf "b\\na\\nb\\n" | sort | uniq -c', '      1 a\n      2 b\n'],
  ['and, or, not', 'true && echo yes; false || echo no; ! false && echo not', 'yes\nno\nnot\n'],
  ['$? is the last exit code', 'false; echo $?', '1\n'],
  ['an assignment before a command applies to that command only', 'X=1 env | grep X; echo "[$X]"', 'X=1\n[]\n'],
  ['here-documents are expanded unless quoted', "x=1\ncat <<EOF\n$x\nEOF\ncat <<'EOF'\n$x\nEOF", '1\n$x\n'],
  [
    'error messages of commands are redirected',
    'grep -Z x 2>&1 | cat; cat /nowhere/x 2>/dev/null; sort -Z 2>/dev/null; echo $?',
    "grep: invalid option -- 'Z'\n2\n",
  ],
  ['files are written, appended and read', 'echo a > f; echo b >> f; cat < f', 'a\nb\n'],
  [
    '2>&1 redirects standard error to the output file',
    'ls nope > all 2>&1; cat all',
    "ls: cannot access 'nope': No such file or directory\n",
  ],
  ['globs find files', 'mkdir d; echo 1 > d/a.yaml; echo 2 > d/b.txt; echo d/*.yaml "d/*" d/*.zip', 'd/a.yaml d/* d/*.zip\n'],
  ['braces expand to words', 'echo a{b,c}d {1..3}', 'abd acd 1 2 3\n'],
  [
    'if, while and case',
    'i=0; while [ $i -lt 2 ]; do i=$((i+1)); done; if [ $i = 2 ]; then case $i in 1) echo one;; 2|3) echo two;; esac; fi',
    'two\n',
  ],
  ['functions take arguments', 'f() { echo "$1-$#"; }; f a b', 'a-2\n'],
  ['changes in a subshell stay inside', 'x=1; (x=2; cd /; echo $x); echo $x; pwd', '2\n1\n/home/me\n'],
  ['an alias is replaced by its words', "alias k='echo -n'; k a", 'a'],
  ['comments are ignored', 'echo a # b', 'a\n'],
  ['a backslash continues the line', 'echo a \\\n  b', 'a b\n'],
  ['head stops the writer', 'seq 1 100000 | head -2', '1\n2\n'],
  ['wait waits for background commands', '(echo a) > f & wait; cat f', 'a\n'],
  ['sed substitutes', `printf 'name: a\\n' | sed 's/name: a/name: b/;s#b#/c#'`, 'name: /c\n'],
  ['sed prints and deletes lines', `printf '1\\n2\\n3\\n' | sed -n '2,3p'; printf '1\\n\\n' | sed '/^$/d'`, '2\n3\n1\n'],
  ['sed edits in place with groups', `echo 'replicas: 1' > f; sed -i -E 's/(replicas): [0-9]+/\\1: 4/' f; cat f`, 'replicas: 4\n'],
  ['sed without slashes', 'echo "k: v" > f; sed -i s/k:.v/k:\\ w/ f; cat f', 'k: w\n'],
  ['awk prints fields', `printf 'a b\\nc d\\n' | awk 'NR > 1 {print $2, NF}'; echo a:b | awk -F: '{print $NF}'`, 'd 2\nb\n'],
  ['awk sums', `printf '1\\n2\\n' | awk '{s += $1} END {print s}'`, '3\n'],
  [
    'grep counts, inverts and selects',
    `printf 'a1\\nb\\n' > f; grep -c a f; grep -v a f; grep -o '[0-9]' f; grep -E 'x|b' f`,
    '1\nb\n1\nb\n',
  ],
  ['grep exits with 1 when nothing matches', 'echo a | grep b', '', 1],
  ['grep -A prints the following lines', `printf 'a\\nb\\nc\\n' | grep -A1 a`, 'a\nb\n'],
  ['base64 round trip', 'printf abc | base64 | base64 -d', 'abc'],
  ['cut and tr', `echo a.b.c | cut -d. -f2 | tr '_b' '/B'`, 'B\n'],
  ['wc -l counts', `printf 'a\\nb\\n' | wc -l`, '2\n'],
  ['xargs runs words', `printf 'a b' | xargs -I{} echo "<{}>"; echo a b | xargs -n1 echo`, '<a b>\na\nb\n'],
  ['an unknown command is 127', 'nope', '', 127],
];

for (const [what, line, out, code = 0] of cases) {
  test(what, async () => {
    expect(await session()(line)).toMatchObject({ out, code });
  });
}

test('variables and the directory persist between lines', async () => {
  const run = session({ '/work/a': 'x' });
  await run('cd /work; Y=2');
  expect((await run('echo $Y; ls')).out).toBe('2\na\n');
});

test('binary data passes through pipes and files', async () => {
  const run = session();
  expect((await run(`printf '\\377\\376' > bin; base64 bin`)).out).toBe('//4=\n');
});

test('prints errors like a shell', async () => {
  const run = session();
  expect((await run('cat nope')).err).toBe('cat: nope: No such file or directory\n');
  expect((await run('nope')).err).toBe('sh: nope: command not found\n');
  expect((await run('echo a | | b')).code).toBe(2);
});

test('the name lists cover all lazily loaded programs', async () => {
  const run = session();
  for (const name of Object.keys(basicPrograms)) expect((await run(`command ${name}`)).code, name).toBe(0);
});

test('a command outside the allowlist cannot be called in any way', async () => {
  const run = session({ '/home/me/a': 'x\n' }, ['cat']);
  expect(await run('echo $(cat a)')).toEqual({ out: 'x\n', err: '', code: 0 });
  for (const line of ['rm a', '/bin/rm a', 'sh -c "rm a"', 'f() { rm a; }; f']) {
    expect(await run(line)).toMatchObject({
      code: 127,
      err: expect.stringContaining('not among the commands that there are here (cat)'),
    });
  }
});

test('isIncomplete recognizes incomplete input', () => {
  expect(isIncomplete('echo "a')).toBe(true);
  expect(isIncomplete('for i in a; do')).toBe(true);
  expect(isIncomplete('cat <<EOF\na')).toBe(true);
  expect(isIncomplete('cat <<EOF\na\nEOF')).toBe(false);
  expect(isIncomplete('a | | b')).toBe(false);
  expect(isIncomplete('echo a \\')).toBe(true);
});

test('whoami, hostname and uname describe the system', async () => {
  const run = session();
  expect((await run('whoami; hostname; uname; uname -sm')).out).toBe('user\nlocalhost\nLinux\nLinux x86_64\n');
  expect((await run('env USER=ada whoami')).out).toBe('ada\n');
  expect(await run('uname -z')).toMatchObject({ err: "uname: invalid option -- 'z'\n", code: 1 });
});

test('find and tree walk directories', async () => {
  const run = session({ '/home/me/a/x.yaml': '', '/home/me/a/b/y.yaml': '', '/home/me/a/b/z.txt': '' });
  expect((await run("find a -name '*.yaml'")).out).toBe('a/b/y.yaml\na/x.yaml\n');
  expect((await run('find a -type d -maxdepth 1')).out).toBe('a\na/b\n');
  expect(await run('find nope')).toMatchObject({ err: "find: 'nope': No such file or directory\n", code: 1 });
  expect(await run('find . -size 1')).toMatchObject({ err: "find: unknown predicate '-size'\n", code: 1 });
  expect((await run('tree a')).out).toBe('a\n├── b\n│   ├── y.yaml\n│   └── z.txt\n└── x.yaml\n\n2 directories, 3 files\n');
});

test('help lists the commands, man knows kubectl only', async () => {
  const run = session();
  expect((await run('help')).out).toMatch(/^Commands:\n {2}alias .*\bawk\b/);
  expect(await run('man ls')).toMatchObject({ err: 'No manual entry for ls\n', code: 16 });
});
