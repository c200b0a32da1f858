import { expect, test } from 'vitest';
import { parseLesson, renderProse } from '../format/index.ts';
import { exportScenario, importScenario } from './index.ts';

const index = {
  title: 'First: a Pod',
  description: 'Run one.',
  details: {
    intro: { text: 'intro.md', background: 'background.sh' },
    steps: [
      { title: 'Run it', text: 'step1/text.md', verify: 'step1/verify.sh' },
      { title: 'Read', text: 'step2/text.md', foreground: 'step2/start.sh' },
    ],
    finish: { text: 'finish.md' },
    assets: {
      host01: [
        { file: '*.yaml', target: '~/app' },
        { file: 'tool.sh', target: '/usr/local/bin' },
      ],
    },
  },
  backend: { imageid: 'kubernetes-kubeadm-2nodes' },
};
const scenario = new Map([
  ['index.json', JSON.stringify(index)],
  ['intro.md', '# Welcome\n<br>\n\nA *short* one.\n'],
  ['background.sh', '#!/bin/bash\nkubectl create namespace team\n'],
  ['assets/pod.yaml', 'kind: Pod\n'],
  [
    'step1/text.md',
    [
      '## The Pod',
      'Create it with `kubectl run web --image=nginx`{{exec}} in a moment.',
      '',
      '```plain',
      'kubectl get pods',
      '```{{exec}}',
      '',
      'Copy `this`{{copy}}.',
      '<details><summary>Tip</summary>\n\nRead the *help*.\n\n</details>',
      '<details><summary>Solution</summary>\n\n```plain\nkubectl run my-pod --image=nginx\n```{{exec}}\n\n</details>',
    ].join('\n'),
  ],
  ['step1/verify.sh', '#!/bin/bash\nkubectl get pod my-pod\n'],
  ['step2/text.md', '```yaml\nkind: Pod\n```\n'],
  ['step2/start.sh', 'true\n'],
  ['finish.md', 'Done.\n'],
]);

test('converts a scenario to a lesson without format errors', () => {
  const { files, notes } = importScenario(scenario);
  expect([...files.keys()]).toEqual(['lesson.md', 'setup.sh']);
  const source = files.get('lesson.md') ?? '';
  const { lesson, problems } = parseLesson(source, { render: renderProse, file: (name) => files.get(name), inherited: {} });
  expect(problems).toEqual([]);
  expect(lesson).toMatchObject({ title: 'First: a Pod', summary: 'Run one.', nodes: 2 });
  expect(lesson.scripts[0]).toContain('cat > ~/app/pod.yaml');
  expect(lesson.scripts[0]).toContain('kubectl create namespace team');
  expect(lesson.steps.map(({ title }) => title)).toEqual(['Run it', 'Read', 'Finish']);
  const [first] = lesson.steps;
  expect(first?.parts.flatMap((part) => (part.kind === 'command' ? [part.lines] : []))).toEqual([
    'kubectl run web --image=nginx',
    'kubectl get pods',
  ]);
  expect(first?.checks).toMatchObject([{ language: 'sh', source: 'kubectl get pod my-pod\n' }]);
  expect(first?.hints).toEqual(['<p>Read the <em>help</em>.</p>']);
  expect(first?.solution?.lines).toBe('kubectl run my-pod --image=nginx');
  expect(source).not.toMatch(/\{\{|<br>|<details>/);
  expect(notes).toEqual([
    'the asset tool.sh is not copied to /usr/local/bin, outside of the home directory',
    'step2/start.sh is not run: only the script of the introduction is',
  ]);
});

test.each([
  ['an index without steps', [['index.json', '{"details":{}}']], 'index.json has no details.steps'],
  ['a folder without an index', [['a.md', '']], 'the folder has no index.json'],
] as const)('rejects %s', (_case, files, message) => {
  expect(() => importScenario(new Map(files))).toThrow(message);
});

const lesson = [
  '---',
  'title: Pods',
  'summary: Two of them.',
  'cluster: {apply: [setup.yaml]}',
  'nodes: 3',
  '---',
  'Hello.',
  '',
  '## Make it {#make}',
  'Run:',
  '```sh run as=alice',
  'kubectl run web --image=nginx',
  '```',
  '```yaml file=pod.yaml',
  'kind: Pod',
  '```',
  '```check',
  '- cel: has(get("v1", "Pod", "default", "web")) && get("apps/v1", "Deployment", "a", "b").metadata.labels["x.y/z"] == "it\'s"',
  '  message: No Pod.',
  '- cel: \'!can("bob", "delete", "pods", "default")\'',
  '  message: bob may delete.',
  '- cel: size(list("v1", "Pod", "", "")) == 1',
  '  message: Not one.',
  '```',
  '```hint',
  'A hint.',
  '```',
].join('\n');

test('converts a lesson to a scenario, with scripts for the checks that kubectl can express', () => {
  const file = (name: string): string | undefined => (name === 'setup.yaml' ? 'kind: ConfigMap\n' : undefined);
  const { files, notes } = exportScenario(lesson, { render: renderProse, file, inherited: {} });
  expect(JSON.parse(files.get('index.json') ?? '')).toEqual({
    title: 'Pods',
    description: 'Two of them.',
    details: {
      intro: { text: 'intro.md', background: 'background.sh' },
      steps: [{ title: 'Make it', text: 'step1/text.md', verify: 'step1/verify.sh' }],
    },
    backend: { imageid: 'kubernetes-kubeadm-2nodes' },
  });
  expect(files.get('intro.md')).toBe('Hello.\n');
  expect(files.get('background.sh')).toContain("kubectl apply -f - <<'END_OF_MANIFEST'\nkind: ConfigMap\n");
  expect(files.get('step1/text.md')).toContain('```plain\nkubectl --as=alice run web --image=nginx\n```{{exec}}');
  expect(files.get('step1/text.md')).toContain('<details><summary>Tip</summary>\n\nA hint.');
  const verify = files.get('step1/verify.sh') ?? '';
  expect(verify).toContain("kubectl get pod 'web' -n 'default' >/dev/null 2>&1 || { echo 'No Pod.'; exit 1; }");
  expect(verify).toContain(
    String.raw`[ "$(kubectl get deployment.v1.apps 'b' -n 'a' -o jsonpath='{.metadata.labels.x\.y/z}')" = 'it'\''s' ] || `,
  );
  expect(verify).toContain("! kubectl auth can-i delete pods -n 'default' --as='bob' >/dev/null || ");
  expect(notes).toEqual([
    'the scenario has 2 nodes, the lesson has 3',
    'step1/verify.sh does not have the check size(list("v1", "Pod", "", "")) == 1',
  ]);
});

test('an exported lesson can be imported again', () => {
  const { files } = exportScenario(lesson, { render: renderProse, file: () => 'kind: ConfigMap\n', inherited: {} });
  const imported = importScenario(files).files;
  const parsed = parseLesson(imported.get('lesson.md') ?? '', { render: renderProse, file: (name) => imported.get(name), inherited: {} });
  expect(parsed.problems).toEqual([]);
  expect(parsed.lesson.steps.map(({ title, checks, hints }) => [title, checks.length, hints.length])).toEqual([['Make it', 1, 1]]);
});
