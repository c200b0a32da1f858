#!/usr/bin/env node
// Runs every check of the project in turn and ends with one line: `N passed, N failed`.
// A check without a test runner counts as one. Exit 0 when all passed.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setTimeout as setTimeoutAsync } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hasGenerators } from './sites/installed.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const reports = join(root, 'dist', 'test');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const builtTests = 'dist/built-tests';
const builtFile = (file) => `${builtTests}/${file.replace(/\.ts$/, '.js')}`;

const watchdog = 'test/hostile/watchdog.test.ts';
const wholeCluster = 'test/hostile/whole-cluster.test.ts';
/** Folders whose tests start clusters, servers, nodes and containers in the process. */
const clusters = ['src/cluster/', 'src/containers/', 'src/hosts/', 'src/node/'];
/** The files of a worker share their modules, which saves two thirds of the time. One worker more than cores, since some tests wait. */
const sharedModules = ['--no-isolate', '--maxWorkers=3'];

/** A step that takes longer does not end: the longest takes 17 minutes on two cores. */
const stepLimitMs = 30 * 60_000;
let runs = 0;
let testsBuild;

const bin = (name) => join(root, 'node_modules', '.bin', name);

/** A run of built tests (vitest.built.config.ts) writes its counts to a file. The paths are those of the sources. */
const vitest = (name, options, ...files) => vitestWith([], name, options, ...files);

const vitestWith = (nodeFlags, name, options, ...files) => ({
  name,
  command: [
    process.execPath,
    ...nodeFlags,
    bin('vitest'),
    'run',
    '--config=vitest.built.config.ts',
    ...options,
    ...files.map(builtFile),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${join(reports, `${name}.json`)}`,
  ],
  report: join(reports, `${name}.json`),
  needsTests: true,
});

/** Collecting young objects takes a sixth of the time of tests in process; with more space for them, half of that. */
const youngSpace = { nodeOptions: '--max-semi-space-size=64' };
/** Most code of a test runs a few times only: with feedback from the first call, V8 compiles what is hot earlier, which saves up to a tenth. */
const inProcess = (...run) => ({ ...vitestWith(['--no-lazy-feedback-allocation'], ...run), ...youngSpace });

/** Browser tests need Debian's Chromium, storage tests its etcd; a missing one is installed where apt-get may. */
const hasHeadlessShell = process.env.CHROMIUM || (await isInstalled('chromium-headless-shell'));
const hasChromium = hasHeadlessShell || (await isInstalled('chromium'));
const hasEtcd = (await isInstalled('etcd')) && (await isInstalled('etcdctl'));
const install = (...packages) => `apt-get update -qq && apt-get install -y -qq ${packages.join(' ')} >/dev/null`;

const npmRun = (name, script) => ({ name, command: ['npm', 'run', '--silent', script], isQuiet: true });
const pageBuild = npmRun('build the page', 'build:page');
/** The generators of test/sites, from npm and PyPI, installed beside other tests. Without them the tests with their sites are reported as skipped. */
const generators = { name: 'install generators', command: ['node', 'test/sites/install.mjs'], optional: true, isQuiet: true };
/** Run beside the first tests. Without etcd its tests are reported as skipped; without the headless shell the tests take a quarter longer. */
const packages = [
  ...(hasEtcd
    ? []
    : [{ name: 'install etcd', command: ['sh', '-c', install('etcd-server', 'etcd-client')], optional: true, isQuiet: true }]),
  ...(hasHeadlessShell ? [] : [installChromium()]),
];
/** Use one core for most of their time. They run beside the first tests, with the output of those that fail. */
const checksAndBuilds = [
  [npmRun('type check', 'typecheck')],
  [npmRun('lint', 'lint')],
  [npmRun('build for node', 'build:node'), pageBuild],
];

/** Steps that run one after another, with the output of each as it comes. */
const inOrder = [
  inProcess('unit', [...sharedModules, ...clusters.map((folder) => `--exclude=${builtFile(folder)}**`)], 'src/', 'build/', 'test/rules'),
  inProcess('integration', sharedModules, ...clusters),
  inProcess(
    'long',
    [watchdog, wholeCluster].map((file) => `--exclude=${builtFile(file)}`),
    'test/contracts',
    'test/simulation',
    'test/hostile',
    'test/tutorials',
  ),
  inProcess('workloads', [], 'test/workloads'),
  { ...vitest('server', ['--mode=server']), needsInstallation: true },
];
/**
 * The one measures the CPU time of one thread in a process of its own, the other waits most of the time, so they can run beside the others.
 * Their output follows.
 */
const beside = [
  { ...vitest('watchdog', ['--pool=forks'], watchdog), ...youngSpace, isQuiet: true },
  { ...vitest('whole-cluster', [], wholeCluster), isQuiet: true },
];
/** Uses the page that was built before, if any. */
const last = (isPageBuilt) => [{ ...vitest('browser', ['--mode=browser']), env: isPageBuilt ? { TABPLANE_BUILT: '1' } : {} }];

const wanted = process.argv.slice(2);
const totals = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const installed = Promise.all([...checksAndBuilds, packages].map(runSteps));
const groups = await Promise.all([inOrder, beside, hasGenerators() ? [] : [generators]].map(runSteps));
const first = await installed;
const isPageBuilt = first.flat().some(({ step, counts }) => step === pageBuild && counts.failed === 0);
const built = testsBuild ? [await testsBuild] : [];
for (const result of [...built, ...first, ...groups, await runSteps(last(isPageBuilt))].flat()) count(result);
for (const text of failures) process.stdout.write(`failed: ${text}\n`);
process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`);
process.exit(totals.failed > 0 ? 1 : 0);

function installChromium() {
  const shell = install('chromium-headless-shell');
  return {
    name: 'install chromium',
    command: ['sh', '-c', hasChromium ? shell : `${shell} || ${install('chromium')}`],
    optional: hasChromium,
    isQuiet: true,
  };
}

async function runSteps(steps) {
  const results = [];
  for (const step of steps) {
    if (wanted.length > 0 && !wanted.some((word) => step.name.includes(word))) continue;
    if (step.needsInstallation) await installed;
    if (step.needsTests) await buildTests();
    results.push(await runStep(step));
  }
  return results;
}

/** Builds the tests once, for the first step that needs them. */
function buildTests() {
  testsBuild ??= runStep(npmRun('build the tests', 'build:tests'));
  return testsBuild;
}

async function runStep(step) {
  if (!step.isQuiet) process.stdout.write(`\n== ${step.name}\n`);
  const { code, output } = await run(step.command, step.isQuiet ? 'pipe' : 'inherit', step);
  process.stdout.write(`== ${step.name}: ${code === 0 ? 'done' : 'failed'}\n`);
  return { step, output, counts: step.report ? countsOf(step.report, code) : outcome(code, step.optional) };
}

function count({ step, output, counts }) {
  if (counts.failed > 0) {
    process.stdout.write(output);
    failures.push(...(counts.texts?.length ? counts.texts : [step.name]));
  }
  for (const key of Object.keys(totals)) totals[key] += counts[key];
  process.stdout.write(`== ${step.name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
}

function outcome(code, optional) {
  if (code === 0) return { passed: 1, failed: 0, skipped: 0 };
  return { passed: 0, failed: optional ? 0 : 1, skipped: optional ? 1 : 0 };
}

async function isInstalled(program) {
  return (await run(['which', program], 'ignore')).code === 0;
}

function run([command, ...args], mode, { env = {}, nodeOptions = '' } = {}) {
  const stacks = join(reports, `stacks-${++runs}.json`);
  const allOptions = `${process.env.NODE_OPTIONS ?? ''} ${nodeOptions} --report-on-signal --report-filename=${stacks}`;
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', mode, mode],
      env: { ...process.env, FORCE_COLOR: '0', NODE_OPTIONS: allOptions, ...env },
    });
    let output = '';
    const limit = setTimeout(async () => {
      child.kill('SIGUSR2');
      await setTimeoutAsync(10_000);
      child.kill('SIGKILL');
      process.stdout.write(
        `== does not end after ${stepLimitMs / 60_000} minutes: ${[command, ...args].join(' ')}\n${readStacks(stacks)}\n`,
      );
    }, stepLimitMs);
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text));
    const end = (code) => {
      clearTimeout(limit);
      resolve({ code: code ?? 1, output });
    };
    child.on('error', () => end(1));
    child.on('close', end);
  });
}

/** What every thread of a process does, from the report that Node.js writes at the signal. */
function readStacks(file) {
  if (!existsSync(file)) return 'no report of its threads';
  const { javascriptStack, workers } = JSON.parse(readFileSync(file, 'utf8'));
  return [javascriptStack, ...workers.map((worker) => worker.javascriptStack)]
    .map(({ message, stack = [] }, thread) => [`thread ${thread}: ${message}`, ...stack.slice(0, 12)].join('\n    '))
    .join('\n');
}

/** A run that ended without a report counts as one failure. */
function countsOf(file, code) {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(file, 'utf8'));
  const failed = numFailedTests === 0 && code !== 0 ? 1 : numFailedTests;
  const texts = testResults.flatMap(({ name, message, assertionResults }) => {
    const file = sourceFile(name);
    const ofTests = assertionResults.filter(({ status }) => status === 'failed').map((result) => failureText(file, result));
    return ofTests.length > 0 || !message ? ofTests : [`${file}\n${firstLines(message)}`];
  });
  return { passed: numPassedTests, failed, skipped: numPendingTests, texts };
}

/** The path of a test below the root, also of a built one. */
function sourceFile(path) {
  return relative(root, path).replace(`${builtTests}/`, '').replace(/\.js$/, '.ts');
}

/** The reports of a long run are far above its end, where the causes are needed too. */
function failureText(file, { fullName, failureMessages }) {
  return `${file}: ${fullName}\n${failureMessages.map(firstLines).join('\n')}`;
}

function firstLines(text) {
  return text
    .split('\n')
    .slice(0, 12)
    .map((line) => `    ${line.slice(0, 400)}`)
    .join('\n');
}
