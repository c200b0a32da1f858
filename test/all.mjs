#!/usr/bin/env node
// Runs every check of the project in turn and ends with one line: `N passed, N failed`.
// A check without a test runner counts as one. Exit 0 when all passed.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const reports = join(root, 'dist', 'test');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const bin = (name) => join(root, 'node_modules', '.bin', name);

/** A vitest run writes its counts to a file. */
const vitest = (name, ...args) => ({
  name,
  command: [bin('vitest'), 'run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${join(reports, `${name}.json`)}`],
  report: join(reports, `${name}.json`),
});

/** Browser tests need Debian's Chromium, storage tests its etcd; a missing one is installed where apt-get may. */
const hasChromium = process.env.CHROMIUM || (await isInstalled('chromium'));
const hasEtcd = (await isInstalled('etcd')) && (await isInstalled('etcdctl'));
const install = (...packages) => ['sh', '-c', `apt-get update -qq && apt-get install -y -qq ${packages.join(' ')} >/dev/null`];

const steps = [
  { name: 'type check', command: ['npm', 'run', '--silent', 'typecheck'] },
  { name: 'lint', command: ['npm', 'run', '--silent', 'lint'] },
  { name: 'build for node', command: ['npm', 'run', '--silent', 'build:node'] },
  vitest('unit', '--exclude', 'test/hostile/watchdog.test.ts'),
  // The unit tests without the long ones of test/, in shared module graphs; runs by name only.
  { ...vitest('quick', '--no-isolate', 'src', 'build', 'test/rules'), isByName: true },
  // In a separate process: it measures the event loop, and its requests have the maximum size.
  vitest('watchdog', '--pool=forks', 'test/hostile/watchdog.test.ts'),
  // Without etcd its tests are reported as skipped.
  ...(hasEtcd ? [] : [{ name: 'install etcd', command: install('etcd-server', 'etcd-client'), optional: true }]),
  vitest('server', '--config', 'vitest.server.config.ts'),
  ...(hasChromium ? [] : [{ name: 'install chromium', command: install('chromium') }]),
  vitest('browser', '--config', 'vitest.browser.config.ts'),
];

const wanted = process.argv.slice(2);
const totals = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
for (const step of steps) {
  const isSelected = wanted.length === 0 ? !step.isByName : wanted.some((word) => step.name.includes(word));
  if (!isSelected) continue;
  process.stdout.write(`\n== ${step.name}\n`);
  const code = await run(step.command);
  const counts = step.report ? countsOf(step.report, code) : outcome(code, step.optional);
  if (counts.failed > 0) failures.push(...(counts.names?.length ? counts.names : [step.name]));
  for (const key of Object.keys(totals)) totals[key] += counts[key];
  process.stdout.write(`== ${step.name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
}
for (const name of failures) process.stdout.write(`failed: ${name}\n`);
process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`);
process.exit(totals.failed > 0 ? 1 : 0);

function outcome(code, optional) {
  if (code === 0) return { passed: 1, failed: 0, skipped: 0 };
  return { passed: 0, failed: optional ? 0 : 1, skipped: optional ? 1 : 0 };
}

async function isInstalled(program) {
  return (await run(['which', program], 'ignore')) === 0;
}

function run([command, ...args], output = 'inherit') {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', output, output], env: { ...process.env, FORCE_COLOR: '0' } });
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** A run that ended without a report counts as one failure. */
function countsOf(file, code) {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(file, 'utf8'));
  const failed = numFailedTests === 0 && code !== 0 ? 1 : numFailedTests;
  const names = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => `${relative(root, name)}: ${fullName}`),
  );
  return { passed: numPassedTests, failed, skipped: numPendingTests, names };
}
