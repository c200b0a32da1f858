import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { generatedDocuments } from '../bench/generated-docs.mjs';

const root = new URL('../../', import.meta.url).pathname;
const program = new URL('../../dist/node/tabplane.js', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'tabplane-docs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `docs test` in a folder. */
function docsTest(cwd: string, ...words: readonly string[]): Promise<{ readonly code: number; readonly report: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, 'docs', 'test', ...words], { cwd }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), report: stdout + stderr }),
    );
  });
}

test("the examples of the project's own documentation print what it shows", async () => {
  const { code, report } = await docsTest(root, 'README.md', 'CONTRIBUTING.md', 'docs/**/*.md');
  expect(report).toMatch(/^ok README\.md .*\n(?:ok .*\n)*ok docs\/live-examples\.md .*\n(?:ok .*\n)*\d+ passed, 0 failed\n$/);
  expect(code).toBe(0);
});

test('1,000 generated examples print what is documented, and one that does not is found', async () => {
  const documents = generatedDocuments(40);
  for (const [at, text] of documents.entries()) writeFileSync(join(folder, `page-${at}.md`), text);
  const { code, report } = await docsTest(folder, '*.md', '--names', 'kubernetes');
  expect(report).toMatch(/^(?:ok page-\d+\.md \(25 examples\)\n){40}1000 passed, 0 failed\n$/);
  expect(code).toBe(0);
  writeFileSync(join(folder, 'wrong.md'), (documents[0] ?? '').replace(' scaled', ' grown'));
  const wrong = await docsTest(folder, 'wrong.md', '--names', 'kubernetes');
  expect(wrong.report).toMatch(/^wrong\.md:\d+: kubectl scale .*\n.*\n.*\n {2}-.* grown\n {2}\+.* scaled\n24 passed, 1 failed\n$/);
  expect(wrong.code).toBe(1);
});

const manifests = process.env['TABPLANE_MANIFESTS'] ?? new URL('../../../shared/manifests', import.meta.url).pathname;
const applications = existsSync(manifests) ? readdirSync(manifests).filter((name) => name.endsWith('.yaml')) : [];

/** The objects whose annotation with the applied configuration is too long for the real server. */
const tooLong: ReadonlySet<string> = new Set(['analysisruns.argoproj.io', 'rollouts.argoproj.io']);

test.skipIf(applications.length === 0)('the manifests of third-party applications are applied as examples, with nodes', async () => {
  for (const application of applications) {
    const objects = readFileSync(join(manifests, application), 'utf8')
      .split(/^---\s*$/m)
      .filter((text) => /^kind:/m.test(text));
    const examples = objects.flatMap((text) => {
      const kind = /^kind:\s*(\S+)/m.exec(text)?.[1] ?? '';
      const name = /^metadata:[\s\S]*?\n {2}name:\s*(\S+)/m.exec(text)?.[1] ?? '';
      const isTooLong = tooLong.has(name);
      const applied = isTooLong ? 'metadata.annotations: Too long: may not be more than 262144 bytes' : `/${name} created`;
      const read = isTooLong ? `"${name}" not found` : `/${name}`;
      return [
        `\`\`\`yaml tabplane nodes=2 expect='${applied}'\n${text.trim()}\n\`\`\`\n`,
        `\`\`\`sh tabplane nodes=2 expect='${read}'\nkubectl get ${kind} ${name} -o name\n\`\`\`\n`,
      ];
    });
    writeFileSync(join(folder, 'application.md'), examples.join('\n'));
    const { report } = await docsTest(folder, 'application.md', '--names', 'kubernetes');
    expect(report, application).toBe(`ok application.md (${examples.length} examples)\n${examples.length} passed, 0 failed\n`);
  }
});
