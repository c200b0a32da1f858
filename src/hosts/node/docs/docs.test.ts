import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createMemoryLog } from '../../../env/index.ts';
import { createNodeEnv } from '../node-env.ts';
import { docs } from './docs.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabplane-docs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let documents = 0;

/** Writes a document into a folder of its own. */
function write(text: string): string {
  const parent = join(folder, `${documents++}`, 'guide');
  mkdirSync(parent, { recursive: true });
  writeFileSync(join(parent, 'page.md'), text);
  return join(parent, 'page.md');
}

async function run(...words: readonly string[]): Promise<{ readonly code: number; readonly report: string }> {
  let report = '';
  const code = await docs(words, createNodeEnv(createMemoryLog()), (text) => {
    report += text;
  });
  return { code, report: report.replaceAll(folder, '').replaceAll(/\/\d+\/guide/g, 'guide') };
}

const story = `
\`\`\`yaml tabplane names=kubernetes nodes=2
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx}]}
\`\`\`
\`\`\`text output
deployment.apps/web created
\`\`\`

\`\`\`sh tabplane expect="jsonpath:deployment/web {.status.readyReplicas} 2"
kubectl get deployments
\`\`\`
\`\`\`text output
NAME   READY   UP-TO-DATE   AVAILABLE   AGE
web    2/2     2            2           9d
\`\`\`

\`\`\`sh tabplane expect='cel:size(list("v1", "Pod", "default", "app=web")) == 2'
kubectl get pods -l app=web
\`\`\`

\`\`\`console tabplane user=bob
$ kubectl get pods
Error from server (Forbidden): pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "default"
\`\`\`

\`\`\`sh tabplane user=jane
kubectl auth whoami
\`\`\`
\`\`\`output
ATTRIBUTE   VALUE
Username    jane
Groups      [system:authenticated]
\`\`\`
`;

test('runs the examples of documents in order in one cluster, with its nodes and users', async () => {
  write(story);
  const { code, report } = await run('test', join(folder, '0/**/*.md'));
  expect(report).toBe('ok guide/page.md (5 examples)\n5 passed, 0 failed\n');
  expect(code).toBe(0);
});

const failing = `# Page

\`\`\`sh tabplane
kubectl get ns default -o name
\`\`\`
\`\`\`text output
namespace/other
\`\`\`

\`\`\`sh tabplane
kubectl get pod missing
\`\`\`

\`\`\`sh tabplane expect="cel:size(list('v1', 'Pod', 'default', '')) == 1"
true
\`\`\`

\`\`\`sh tabplane nodes=many
true
\`\`\`
`;

test('reports file and line of each difference, of failing commands and of invalid attributes, and exits with 1', async () => {
  const { code, report } = await run('test', write(failing));
  expect(report).toBe(`guide/page.md:3: kubectl get ns default -o name
  the output differs from the documented one
  @@ -1 +1 @@
  -namespace/other
  +namespace/default
guide/page.md:10: kubectl get pod missing
  exits with 1: Error from server (NotFound): pods "missing" not found
guide/page.md:14: true
  0 found, expected 1
guide/page.md:18: true
  nodes is a number up to 20, not "many"
0 passed, 4 failed
`);
  expect(code).toBe(1);
});

test('replaces documented outputs that differ on request, and nothing else', async () => {
  const file = write(
    '1. Step\n\n   ```sh tabplane\n   kubectl get ns default -o name\n   ```\n   ```text output\n   a\n   b\n   ```\n\nEnd.',
  );
  expect(await run('test', file, '--update')).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toBe(
    '1. Step\n\n   ```sh tabplane\n   kubectl get ns default -o name\n   ```\n   ```text output\n   namespace/default\n   ```\n\nEnd.',
  );
});

test('documents without examples pass, and a pattern without files is refused', async () => {
  expect(await run('test', write('```sh\nfalse\n```\n'))).toEqual({ code: 0, report: '0 passed, 0 failed\n' });
  await expect(run('test', join(folder, 'none/*.md'))).rejects.toThrow('no file matches');
  await expect(run('test', 'a.md', '--reporter', 'xml')).rejects.toThrow('--reporter is text, junit, github');
});

test('runs unmarked blocks on request', async () => {
  expect(await run('test', '--all', write('```sh\nkubectl get pod missing\n```\n'))).toMatchObject({ code: 1 });
});

test('reports in the formats of JUnit and of GitHub annotations', async () => {
  const file = write('```sh tabplane\nkubectl get pod "a<b"\n```\n');
  const { report } = await run('test', file, '--reporter', 'junit');
  expect(report).toContain('<testsuite name="guide/page.md" tests="1" failures="1">');
  expect(report).toContain('name="line 1: kubectl get pod &quot;a&lt;b&quot;"');
  const annotations = await run('test', file, '--reporter=github');
  expect(annotations.report.split('\n')[0]).toBe(
    '::error file=guide/page.md,line=1,title=kubectl get pod "a<b"::exits with 1: Error from server (NotFound): pods "a<b" not found',
  );
});

test('an example that does not end is stopped', async () => {
  const { report } = await run(
    'test',
    // A single watch ends: the server closes it after an hour at most, which passes quickly in virtual time.
    write('```sh tabplane\nwhile true; do kubectl get pods -w; done\n```\n\n```sh tabplane\nwhile true; do :; done\n```\n'),
    '--timeout=0.5',
  );
  expect(report.match(/does not end within 0.5 s/g)).toHaveLength(2);
});
