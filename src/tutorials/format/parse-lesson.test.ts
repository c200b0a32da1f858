import { expect, test } from 'vitest';
import { type ParsedLesson, parseLesson, parseTranslation } from './parse-lesson.ts';
import { renderProse } from './render-prose.ts';

const head = '---\ntitle: Read-only access\nminutes: 10\nuser: alice\nmode: challenge\n---\n';
const parse = (body: string): ParsedLesson =>
  parseLesson(head + body, { render: renderProse, file: () => undefined, inherited: { minutes: 3, user: 'bob' } });

test('front matter overrides the defaults of the track', () => {
  const { lesson, problems } = parse('Hello.\n');
  expect(lesson).toMatchObject({ title: 'Read-only access', minutes: 10, user: 'alice', mode: 'challenge' });
  expect(lesson.intro).toEqual([{ kind: 'prose', html: '<p>Hello.</p>' }]);
  expect(problems).toEqual([]);
});

test('second-level headings outside blocks start steps', () => {
  const { lesson } = parse('## Give alice a Role {#role}\n```text\n## no step\n```\n## And then what?\n');
  expect(lesson.steps.map(({ id, title }) => [id, title])).toEqual([
    ['role', 'Give alice a Role'],
    ['and-then-what', 'And then what?'],
  ]);
});

test('parses blocks into commands, files, checks, hints and the solution of their step', () => {
  const { lesson, problems } = parse(
    [
      '## Do it',
      '```sh run as=alice expect=1',
      'kubectl get pods',
      '```',
      '```yaml file=role.yaml edit',
      'kind: Role',
      '```',
      '```check',
      '- cel: 1 == 1',
      '  message: It is not so.',
      '  done: It is so.',
      '  optional: true',
      '```',
      '```hint',
      'Think *again*.',
      '```',
      '```solution',
      'kubectl get nodes',
      '```',
    ].join('\n'),
  );
  expect(problems).toEqual([]);
  expect(lesson.steps[0]).toEqual({
    id: 'do-it',
    title: 'Do it',
    parts: [
      { kind: 'command', lines: 'kubectl get pods', as: 'alice', expect: 1 },
      { kind: 'file', name: 'role.yaml', text: 'kind: Role\n', edit: true },
    ],
    checks: [{ language: 'cel', source: '1 == 1', message: 'It is not so.', done: 'It is so.', hint: undefined, optional: true }],
    hints: ['<p>Think <em>again</em>.</p>'],
    solution: { kind: 'command', lines: 'kubectl get nodes', as: undefined, expect: 0 },
  });
});

const whole = (front: string, body = '## One {#one}\n', files: Readonly<Record<string, string>> = {}): ParsedLesson =>
  parseLesson(`---\ntitle: T\n${front}\n---\n${body}`, { render: renderProse, file: (name) => files[name], inherited: {} });

test('parses a snapshot, an allowlist, images, translations and an exam', () => {
  const front =
    'cluster: {snapshot: base.json}\nallow: [kubectl]\nimages: {example.com/app: app.js}\ni18n: {de: a.de.md}\nexam: {minutes: 20, weights: {one: 3}}';
  const { lesson, problems } = whole(front, undefined, { 'base.json': '{"revision":1}' });
  expect(problems).toEqual([]);
  expect(lesson).toMatchObject({
    snapshot: '{"revision":1}',
    allow: ['kubectl'],
    images: { 'example.com/app': 'app.js' },
    i18n: { de: 'a.de.md' },
  });
  expect(lesson.exam).toEqual({ minutes: 20, pass: 66, weights: { one: 3 } });
});

test.each([
  ['cluster: {snapshot: base.json}', 'the file base.json is missing in the folder of the lesson'],
  ['exam: {pass: 50}', 'an exam must have minutes and pass, a number of per cent'],
  ['exam: {minutes: 5, weights: {one: much}}', 'the weights of an exam must be numbers by task id'],
  ['exam: {minutes: 5, weights: {two: 2}}', 'the weight "two" has no task with this id'],
])('reports invalid front matter %j', (front, message) => {
  expect(whole(front).problems).toContainEqual({ line: 1, message });
});

test('a translation inherits the front matter of its original', () => {
  const original = '---\ntitle: Objects\nminutes: 6\nuser: alice\n---\n## A {#a}\n';
  const options = { render: renderProse, file: () => undefined, inherited: {} };
  const { lesson } = parseTranslation('---\ntitle: Objekte\n---\n## Ä {#a}\n', original, options);
  expect(lesson).toMatchObject({ title: 'Objekte', minutes: 6, user: 'alice', steps: [{ id: 'a', title: 'Ä' }] });
});

test.each([
  ['## A\n```sh run twice\ntrue\n```\n', 8, 'a block of sh has the unknown option "twice"'],
  ['## A\n```sh run since=1\ntrue\n```\n', 8, 'a block of sh has the unknown option "since="'],
  ['```check\n- cel: 1 == 1\n```\n', 7, 'a check must be in a step, below a heading ##'],
  ['## A\n```check\n- message: no cel\n```\n', 8, 'a check must have cel or run, and message'],
])('reports a mistake in %j with its line', (body, line, message) => {
  expect(parse(body).problems).toContainEqual({ line, message });
});

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[click](javascript:alert(1))',
  '![x](data:text/html,<script>alert(1)</script>)',
  '<a href="javascript:alert(1)">x</a>',
  '[x]: javascript:alert(1)\n\n[x]',
])('renders %j of an untrusted lesson inert', (hostile) => {
  const { lesson } = parse(`${hostile}\n\n## Step\n\`\`\`hint\n${hostile}\n\`\`\`\n`);
  const html = JSON.stringify(lesson);
  expect(html).not.toMatch(/<script|<img[^>]*onerror|(?:href|src)=\\"(?:javascript|data):/i);
});
