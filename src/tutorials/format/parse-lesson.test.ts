import { expect, test } from 'vitest';
import { type ParsedLesson, parseLesson } from './parse-lesson.ts';
import { renderProse } from './render-prose.ts';

const head = '---\ntitle: Read-only access\nminutes: 10\nuser: alice\nmode: challenge\n---\n';
const parse = (body: string): ParsedLesson =>
  parseLesson(head + body, { render: renderProse, file: () => undefined, inherited: { minutes: 3, user: 'bob' } });

test('a lesson has what its front matter says, and from its track what it does not say', () => {
  const { lesson, problems } = parse('Hello.\n');
  expect(lesson).toMatchObject({ title: 'Read-only access', minutes: 10, user: 'alice', mode: 'challenge' });
  expect(lesson.intro).toEqual([{ kind: 'prose', html: '<p>Hello.</p>' }]);
  expect(problems).toEqual([]);
});

test('headings of the second level are steps, and those inside blocks are not', () => {
  const { lesson } = parse('## Give alice a Role {#role}\n```text\n## no step\n```\n## And then what?\n');
  expect(lesson.steps.map(({ id, title }) => [id, title])).toEqual([
    ['role', 'Give alice a Role'],
    ['and-then-what', 'And then what?'],
  ]);
});

test('blocks become commands, files, checks, hints and the solution of their step', () => {
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
    checks: [{ cel: '1 == 1', message: 'It is not so.', hint: undefined, optional: true }],
    hints: ['<p>Think <em>again</em>.</p>'],
    solution: { kind: 'command', lines: 'kubectl get nodes', as: undefined, expect: 0 },
  });
});

test.each([
  ['## A\n```sh run twice\ntrue\n```\n', 8, 'a block of sh does not know the word "twice"'],
  ['## A\n```sh run since=1\ntrue\n```\n', 8, 'a block of sh does not know the word "since="'],
  ['```check\n- cel: 1 == 1\n```\n', 7, 'a check belongs to a step, below a heading ##'],
  ['## A\n```check\n- message: no cel\n```\n', 8, 'a check has a cel and a message'],
])('what an author got wrong in %j is told with its line', (body, line, message) => {
  expect(parse(body).problems).toContainEqual({ line, message });
});

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[click](javascript:alert(1))',
  '![x](data:text/html,<script>alert(1)</script>)',
  '<a href="javascript:alert(1)">x</a>',
  '[x]: javascript:alert(1)\n\n[x]',
])('%j of a foreign lesson is inert', (hostile) => {
  const { lesson } = parse(`${hostile}\n\n## Step\n\`\`\`hint\n${hostile}\n\`\`\`\n`);
  const html = JSON.stringify(lesson);
  expect(html).not.toMatch(/<script|<img[^>]*onerror|(?:href|src)=\\"(?:javascript|data):/i);
});
