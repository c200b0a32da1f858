import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMemoryLog } from '../../src/env/index.ts';
import { createNodeEnv } from '../../src/hosts/node/node-env.ts';
import { MemoryLab } from '../../src/hosts/node/tutorial/tutorial-lab.ts';
import { productByName } from '../../src/meta/index.ts';
import { testTrack } from '../../src/tutorials/testing/index.ts';

const storedConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'mine', namespace: 'default', uid: 'u-1', resourceVersion: '7' },
  data: { a: '1' },
};
const entry = { key: '/registry/configmaps/default/mine', value: JSON.stringify(storedConfigMap), createRevision: 5, revision: 7 };
const snapshot = JSON.stringify({ format: 'tabplane-snapshot', version: 1, revision: 9, entries: [entry] });

const step = (check: string, command: string): string =>
  `## One {#one}\n\`\`\`sh run\n${command}\n\`\`\`\n\`\`\`check\n- cel: '${check}'\n  message: Not so.\n  done: So.\n\`\`\`\n`;
const patched = step('get("v1", "ConfigMap", "default", "mine").data.a == "2"', `kubectl patch configmap mine -p '{"data":{"a":"2"}}'`);
const lesson = (front: string, body: string): string => `---\ntitle: T\n${front}\n---\n${body}`;

/** A check of 10^8 iterations, which exceeds the cost limit. */
const endless = 'abcdefgh'.split('').reduce((inner, name) => `[0,1,2,3,4,5,6,7,8,9].all(${name}, ${inner})`, 'true');

async function failuresOf(files: Readonly<Record<string, string>>, folder = ''): Promise<readonly string[]> {
  const env = createNodeEnv(createMemoryLog());
  const options = { product: productByName('svc'), groupsOf: () => [], hasLesson: () => false };
  const reports = await testTrack(new Map(Object.entries(files)), async () => new MemoryLab(env, 'svc', folder), options);
  return reports.flatMap(({ failures }) => failures);
}

test('runs a lesson on the snapshot it starts from', async () => {
  expect(await failuresOf({ 'a.md': lesson('cluster: {snapshot: base.json}', patched), 'base.json': snapshot })).toEqual([]);
});

test('runs a lesson with an image of its own, a script beside it', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabplane-lesson-'));
  const image = "export default { entrypoint: ['/app'], programs: { '/app': ({ out }) => { out('from the lesson'); return 0; } } };";
  writeFileSync(join(folder, 'app.mjs'), image);
  const command =
    'kubectl run app --image=example.com/app --restart=Never && kubectl wait --for=jsonpath={.status.phase}=Succeeded pod/app && kubectl logs app';
  const body = step('commands.exists(c, c.stdout.contains("from the lesson"))', command);
  expect(await failuresOf({ 'a.md': lesson('nodes: 1\nimages: {example.com/app: app.mjs}', body) }, folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

test('runs a lesson with nodes, whose containers take no real time', { timeout: 60_000 }, async () => {
  const command =
    'kubectl run once --image=busybox --restart=Never -- sleep 60 && kubectl wait --for=jsonpath={.status.phase}=Succeeded pod/once --timeout=5m';
  const done = step(
    'get("v1", "Pod", "default", "once").status.phase == "Succeeded" && get("v1", "Pod", "default", "once").spec.nodeName == "node-1"',
    command,
  );
  expect(await failuresOf({ 'a.md': lesson('nodes: 1', done) })).toEqual([]);
});

test.each([
  ['an invalid snapshot', 'cluster: {snapshot: base.json}', patched, 'Error: the snapshot holds no copy of a cluster'],
  ['a check that costs too much', '', step(endless, 'true'), 'the check exceeds the cost limit'],
  ['a command that is not allowed', 'allow: [cat]', step('size(commands) > 0', 'kubectl version'), 'exits with 127, not 0'],
  ['a missing translation', 'i18n: {de: a.de.md}', step('size(commands) > 0', 'true'), 'the translation a.de.md is missing'],
  ['a translation of another lesson', 'i18n: {de: b.de.md}', step('size(commands) > 0', 'true'), 'b.de.md has different steps or checks'],
  ['a broken link', '', `[x](nowhere.md)\n${step('size(commands) > 0', 'true')}`, 'the link "nowhere.md" is broken'],
  ['an image without alternative text', '', `![](base.json)\n${step('size(commands) > 0', 'true')}`, 'an image has no alternative text'],
  ['an invalid number of nodes', 'nodes: many', step('size(commands) > 0', 'true'), 'nodes must be a whole number from 0 to 10'],
  ['a missing prerequisite', 'requires: [t/z]', step('size(commands) > 0', 'true'), 'the required lesson t/z is missing'],
  [
    'a check without a text for passing',
    '',
    '## One {#one}\n```check\n- {cel: size(commands) > 0, message: Not so.}\n```\n',
    'has no done',
  ],
  ['HTML in the text', '', `Press <kbd>Enter</kbd>.\n${step('size(commands) > 0', 'true')}`, '"<kbd>" is shown as text'],
])('reports %s', { timeout: 20_000 }, async (_case, front, body, words) => {
  const failures = await failuresOf({ 'a.md': lesson(front, body), 'b.de.md': lesson('', '## Eins {#one}\n'), 'base.json': '{}' });
  expect(failures.join('\n')).toContain(words);
});
