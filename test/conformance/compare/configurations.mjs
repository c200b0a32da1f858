/**
 * node test/conformance/compare/configurations.mjs --server REAL-KUBE-APISERVER [--kubectl REAL-KUBECTL] [--seed 1] [--count 200]
 *
 * Starts the real server and ours with the same changed configuration file, and prints how their errors differ; both run only until they
 * have read it. The files are those of the recorded scenarios. With `--kubectl`, both kubectls change the same changed kubeconfigs instead.
 * The real server needs no etcd for a refused file.
 */
import { spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createRandom, mutate } from './mutate.mjs';

const { values: options } = parseArgs({
  options: {
    server: { type: 'string', default: '' },
    kubectl: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '200' },
  },
});
if ((options.server === '') === (options.kubectl === ''))
  throw new Error('usage: configurations.mjs --server FILE | --kubectl FILE [--seed N] [--count N]');

const random = createRandom(Number(options.seed));
const one = (list) => list[random(list.length)];
const folder = mkdtempSync(join(tmpdir(), 'compare-'));
const program = fileURLToPath(new URL('../../../dist/node/tabplane.js', import.meta.url));
/** Both servers have read their flags and files by then. */
const startMs = 6_000;

/** The flags and files of the recorded scenarios. */
function recordedSettings() {
  const scenarios = fileURLToPath(new URL('../scenarios', import.meta.url));
  const names = readdirSync(scenarios, { recursive: true }).filter((name) => name.endsWith('.json'));
  const settings = names.sort().map((name) => JSON.parse(readFileSync(join(scenarios, name), 'utf8')).server ?? {});
  return settings.filter(({ files }) => files && Object.values(files).some(isJson)).map(({ flags = [], files }) => ({ flags, files }));
}

function isJson(text) {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** Runs until the program ends, or prints what it prints after its start. */
function run(command, args, started) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    const end = (result) => {
      clearTimeout(limit);
      child.kill('SIGKILL');
      resolve(result);
    };
    const limit = setTimeout(() => end({ text, isStarted: true }), startMs);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part) => {
        text += part;
        if (started.test(text)) end({ text, isStarted: true });
      });
    }
    child.on('close', () => end({ text, isStarted: false }));
  });
}

/** The error of klog's last line, which is quoted, or indented when it has several lines. */
function realError({ text, isStarted }) {
  const quoted = /"command failed" err=("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  if (quoted !== undefined) return JSON.parse(quoted.replace(/\\x([0-9a-f]{2})/g, '\\u00$1'));
  const lines = /"command failed" err=<\n([\s\S]*?)\n >/.exec(text)?.[1];
  if (lines !== undefined) return lines.replace(/^\t/gm, '').trim();
  return isStarted ? 'started' : text.replace(/^[IW]\d{4}.*\n/gm, '').trim();
}

function ourError({ text, isStarted }) {
  return isStarted ? 'started' : (/^refused: ([\s\S]*)/m.exec(text)?.[1] ?? text).trim();
}

async function compareServers() {
  const { flags, files } = one(recordedSettings());
  const changed = one(Object.keys(files).filter((name) => isJson(files[name])));
  const content = JSON.stringify(mutate(JSON.parse(files[changed]), random), null, random(2));
  const filled = (text) => text.replaceAll('{dir}', folder).replace(/\{port-[\w-]+\}/g, '1');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), filled(name === changed ? content : text));
  const given = flags.filter((flag) => flag !== '--with-controllers').map(filled);
  const has = (name) => given.some((flag) => flag.startsWith(`--${name}`));
  const mode = has('authorization-') ? [] : ['--authorization-mode=RBAC'];
  const key = join(folder, 'sa.key');
  const own = [
    'etcd-servers=http://127.0.0.1:2379',
    `cert-dir=${folder}`,
    `service-account-key-file=${key}`,
    `service-account-signing-key-file=${key}`,
  ];
  const network = ['service-account-issuer=https://kubernetes.default.svc', 'service-cluster-ip-range=10.96.0.0/12', 'secure-port=6444'];
  const [real, ours] = await Promise.all([
    run(options.server, [...[...own, ...network].map((flag) => `--${flag}`), ...mode, ...given], /Serving securely|caches populated/),
    run('node', [program, 'serve', '--names', 'kubernetes', '--controllers=', ...mode, ...given], /^serving on/m),
  ]);
  return { what: `${given.join(' ')}\n  ${changed}: ${content}`, real: realError(real), ours: ourError(ours) };
}

const kubeconfig = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [
    {
      name: 'a',
      cluster: { server: 'http://127.0.0.1:1', 'certificate-authority-data': 'YWI=', extensions: [{ name: 'e', extension: { a: 1 } }] },
    },
  ],
  users: [
    { name: 'u', user: { token: 't', as: 'x', 'as-groups': ['g'], 'as-user-extra': { k: ['v'] } } },
    {
      name: 'p',
      user: {
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1',
          command: 'c',
          args: ['a'],
          env: [{ name: 'A', value: 'b' }],
          interactiveMode: 'Never',
        },
      },
    },
  ],
  contexts: [{ name: 'x', context: { cluster: 'a', user: 'u', namespace: 'n' } }],
  'current-context': 'x',
};
const kubectlCommands = [
  ['view'],
  ['view', '--raw', '-ojson'],
  ['get-contexts'],
  ['set', 'clusters.a.server', 'https://b'],
  ['set', 'users.u.act-as', 'y'],
  ['set', 'preferences.colors', 'true'],
  ['unset', 'contexts.x'],
  ['set-credentials', 'p', '--exec-command=d', '--exec-env=B=c'],
  ['set-cluster', 'a', '--insecure-skip-tls-verify'],
  ['use-context', 'x'],
];

/** Each kubectl changes a file of its own. */
async function compareKubectls() {
  const content = JSON.stringify(mutate(kubeconfig, random), null, random(2));
  const command = ['config', ...one(kubectlCommands)];
  const file = join(folder, 'kubeconfig');
  const [real, ours] = [[options.kubectl], ['node', program, 'kubectl', '--names', 'kubernetes']].map(([name, ...args]) => {
    writeFileSync(file, content);
    const { status, stdout, stderr } = spawnSync(name, [...args, ...command], {
      env: { ...process.env, KUBECONFIG: file },
      encoding: 'utf8',
    });
    // Go shows pointers by their addresses.
    return `exit ${status}\n${stdout}${stderr}${readFileSync(file, 'utf8')}`.replace(/0x[0-9a-f]+/g, '<address>');
  });
  return { what: `kubectl ${command.join(' ')}\n  ${content}`, real, ours };
}

let equal = 0;
try {
  if (options.server !== '') {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(join(folder, 'sa.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  }
  for (let index = 0; index < Number(options.count); index++) {
    const { what, real, ours } = await (options.server === '' ? compareKubectls() : compareServers());
    if (real === ours) equal++;
    else console.log(`#${index} ${what}\n  real: ${real}\n  ours: ${ours}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${equal} equal, ${Number(options.count) - equal} different`);
