import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;
const program = new URL('../../dist/node/tabplane.js', import.meta.url).pathname;

test("the examples of the project's own documentation print what it shows", async () => {
  const words = ['docs', 'test', 'README.md', 'CONTRIBUTING.md', 'docs/**/*.md'];
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words], { cwd: root });
  expect(stdout).toMatch(/^ok README\.md .*\n(?:ok .*\n)*ok docs\/live-examples\.md .*\n(?:ok .*\n)*\d+ passed, 0 failed\n$/);
});
