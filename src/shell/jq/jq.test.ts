import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../env/index.ts';
import { createShell } from '../create-shell.ts';
import { createMemoryFiles } from '../files.ts';

const pods: string = JSON.stringify({
  items: [
    { metadata: { name: 'web-1', labels: { app: 'web' } }, spec: { replicas: 3 }, status: { phase: 'Running' } },
    { metadata: { name: 'db-1', labels: { app: 'db' } }, spec: {}, status: { phase: 'Pending', ready: null } },
  ],
});

async function run(line: string): Promise<{ readonly out: string; readonly err: string; readonly code: number }> {
  const shell = createShell({
    env: { clock: createManualClock(), random: createSeededRandom(1), log: createMemoryLog() },
    files: createMemoryFiles({ '/home/me/pods.json': pods }),
    connect: () => undefined,
    variables: { HOME: '/home/me' },
    programs: {},
  });
  const streams = { out: '', err: '' };
  const code = await shell.run(`cd ~; ${line}`, {
    signal: new AbortController().signal,
    out: (text) => {
      streams.out += text;
    },
    err: (text) => {
      streams.err += text;
    },
  });
  return { ...streams, code };
}

/** Outputs of jq 1.6. */
const cases: readonly (readonly [line: string, out: string])[] = [
  [`jq -r '.items[].metadata.name' pods.json`, 'web-1\ndb-1\n'],
  [`jq -r '.items[] | "\\(.metadata.name) \\(.status.phase)"' pods.json`, 'web-1 Running\ndb-1 Pending\n'],
  [`jq -r '.items[] | [.metadata.name, .spec.replicas] | @tsv, @csv' pods.json`, 'web-1\t3\n"web-1",3\ndb-1\t\n"db-1",\n'],
  [
    `jq -c '.items | group_by(.status.phase) | map({p: .[0].status.phase, n: length})' pods.json`,
    '[{"p":"Pending","n":1},{"p":"Running","n":1}]\n',
  ],
  [`jq -c '.items[] | select(.metadata.labels.app | test("^w")).spec' pods.json`, '{"replicas":3}\n'],
  [`jq -c '[.items[].spec.replicas |= (. // 0) + 1 | .items[].spec.replicas]' pods.json`, '[4,1]\n'],
  [`jq -c 'del(.items[].metadata, .items[].status) | .items' pods.json`, '[{"spec":{"replicas":3}},{"spec":{}}]\n'],
  [`jq -c '[..|.phase? // empty], [paths(type == "null")]' pods.json`, '["Running","Pending"]\n[["items",1,"status","ready"]]\n'],
  [
    `jq -c '.items[0].metadata.labels | to_entries, with_entries(.value |= ascii_upcase)' pods.json`,
    '[{"key":"app","value":"web"}]\n{"app":"WEB"}\n',
  ],
  [`jq 'any(.items[]; .status.phase == "Pending"), all(.items[]; .spec.replicas)' pods.json`, 'true\nfalse\n'],
  [`jq -n '[1, {"a": []}]'`, '[\n  1,\n  {\n    "a": []\n  }\n]\n'],
  [
    `jq -cn '"a,b, c" | split(", *"; null), [scan("[a-c]")], gsub("(?<x>[bc])"; "<\\(.x)>")'`,
    '["a","b","c"]\n["a","b","c"]\n"a,<b>, <c>"\n',
  ],
  [`jq -cn 'def f($a; g): $a + g; f(1; 2), (reduce range(5) as $i (0; . + $i)), ([1, 2] as [$x, $y] | $y)'`, '3\n10\n2\n'],
  [`jq -cn '[limit(3; repeat(1))], (label $out | 1, break $out, 2), first(range(9))'`, '[null,1,1]\n1\n0\n'],
  [`jq -cn --arg x 1 --argjson y '{"a":2}' '[$x, $y.a, $ENV.HOME]'`, '["1",2,"/home/me"]\n'],
  [`echo '{"b":1,"a":1e17}' | jq -cS '., (.b / 3)'`, '{"a":1e+17,"b":1}\n0.3333333333333333\n'],
  [`echo '1 [2]' | jq -cs .; printf 'a\\nb\\n' | jq -R .`, '[1,[2]]\n"a"\n"b"\n'],
  [`jq -n '"a" | @base64, @uri "x=\\("ä b")", @sh'`, '"YQ=="\n"x=%C3%A4%20b"\n"\'a\'"\n'],
];

test.each(cases)('%s', async (line, out) => {
  expect(await run(line)).toEqual({ out, err: '', code: 0 });
});

test('an error ends the outputs of its input, and try catches it', async () => {
  expect(await run(`echo '{"a":1} {"a":{"b":2}}' | jq .a.b`)).toEqual({
    out: '2\n',
    err: 'jq: error (at <stdin>:1): Cannot index number with string "b"\n',
    code: 5,
  });
  expect((await run(`jq -n 'try error("x") catch "caught \\(.)"'`)).out).toBe('"caught x"\n');
});

test('reports syntax errors, undefined functions, and input that is not JSON', async () => {
  expect(await run(`jq -n '1 |'`)).toMatchObject({ code: 3, err: expect.stringContaining('syntax error, unexpected $end') });
  expect(await run('jq -n nope')).toMatchObject({ code: 3, err: expect.stringContaining('nope/0 is not defined') });
  expect(await run(`echo '{"a"' | jq .`)).toMatchObject({ code: 2, err: 'parse error: Unfinished JSON term at EOF at line 2, column 0\n' });
});

test('ends a filter that never ends', async () => {
  expect(await run(`jq -n '[repeat(1)]'`)).toMatchObject({ code: 5, err: expect.stringContaining('recurses too deeply') });
});

test('the exit status tells whether the last output is true', async () => {
  expect((await run('echo null | jq -e .a')).code).toBe(1);
  expect((await run('echo 1 | jq -e .')).code).toBe(0);
  expect((await run('jq -ne empty')).code).toBe(4);
});
