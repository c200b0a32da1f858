import { isImageReference, type Json, type JsonObject } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { builtInResource } from '../../api/discovery.ts';
import { array, bool, duration, int, optional, text } from '../../parse/flags.ts';
import { createPrinter, parseDryRun, withDryRun } from '../../printers/printer.ts';
import { type Call, type Command, usageError } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { dryRunFlag, fileFlags, managerFlag, outputFlags, recordFlag } from '../../program/global-flags.ts';
import { withChangeCause } from '../../resources/change-cause.ts';
import { createObject } from '../../resources/changes.ts';
import { nameOf, setMetadata } from '../../resources/info.ts';
import { setTypedLastApplied } from '../../resources/last-applied.ts';
import { applyOverrides, overrideFlags } from '../../resources/overrides.ts';
import { waitForCondition } from '../../resources/wait-for-condition.ts';
import { parseCascade } from '../changes/delete.ts';
import { buildObject } from '../create/create-object.ts';
import { attachWhenRunning } from '../troubleshooting/attach-pod.ts';

const pods = builtInResource('v1', 'pods', 'Pod');
const services = builtInResource('v1', 'services', 'Service');

export const run: Command = {
  flags: {
    ...dryRunFlag,
    ...outputFlags,
    ...managerFlag('kubectl-run'),
    ...fileFlags,
    ...recordFlag,
    annotations: array(),
    attach: bool(),
    cascade: optional('background', 'background'),
    command: bool(),
    env: array(),
    expose: bool(),
    force: bool(),
    'grace-period': int(-1),
    image: text(),
    'image-pull-policy': text(),
    labels: text('', 'l'),
    'leave-stdin-open': bool(),
    ...overrideFlags,
    'pod-running-timeout': duration('1m0s'),
    port: text(),
    privileged: bool(),
    quiet: bool(false, 'q'),
    restart: text('Always'),
    rm: bool(),
    'save-config': bool(),
    stdin: bool(false, 'i'),
    timeout: duration(),
    tty: bool(false, 't'),
    wait: bool(),
  },
  required: ['image'],
  run: runRun,
};

async function runRun(call: Call): Promise<number> {
  const { flags, words } = call;
  const dryRun = parseDryRun(call);
  await call.cluster();
  await createPrinter(call, { operation: withDryRun('created', dryRun) });
  parseCascade(call);
  const [name, ...rest] = words;
  // Words after `--` count too: kubectl has parsed its command line again by then, with `run` as the first word.
  if (name === undefined) throw usageError(call, 'NAME is required for run');
  const attach = flags.changed('attach') ? flags.bool('attach') : flags.bool('stdin');
  requireValidFlags(call, attach);
  const pod = buildPod(call, name, rest);
  const labels = pod['metadata'] as JsonObject;
  const overridden = await applyOverrides(call, pods, pod);
  if (flags.bool('expose')) {
    await createAndPrint(call, services, buildService(name, flags.text('port'), labels['labels'] ?? {}));
    // Upstream separates YAML documents, and so does its printer.
    if (flags.text('output') === 'yaml') call.out('---\n---\n');
  }
  const made = await createAndPrint(call, pods, overridden);
  return attach ? attachTo(call, made) : 0;
}

/** The checks in the order of upstream. @throws KubectlError */
function requireValidFlags(call: Call, attach: boolean): void {
  const { flags } = call;
  const image = flags.text('image');
  if (flags.duration('pod-running-timeout') <= 0) throw usageError(call, '--pod-running-timeout must be higher than zero');
  if (image === '') throw new KubectlError('--image is required');
  if (!isImageReference(image)) throw new KubectlError(`Invalid image name ${JSON.stringify(image)}: invalid reference format`);
  if (flags.bool('tty') && !flags.bool('stdin')) throw usageError(call, '-i/--stdin is required for containers with -t/--tty=true');
  if (flags.bool('expose') && flags.text('port') === '') throw usageError(call, '--port must be set when exposing a service');
  if (!['Always', 'OnFailure', 'Never'].includes(flags.text('restart')))
    throw usageError(call, `invalid restart policy: ${flags.text('restart')}`);
  if (flags.bool('rm') && !attach) throw usageError(call, '--rm should only be used for attached containers');
  if (attach && parseDryRun(call) !== 'none')
    throw usageError(call, "--dry-run=[server|client] can't be used with attached containers options (--attach, --stdin, or --tty)");
  if (!['', 'Always', 'IfNotPresent', 'Never'].includes(flags.text('image-pull-policy')))
    throw usageError(call, `invalid image pull policy: ${flags.text('image-pull-policy')}`);
}

function buildPod({ flags }: Call, name: string, words: readonly string[]): JsonObject {
  const labels = flags.text('labels') === '' ? { run: name } : readLabels(flags.text('labels'));
  const annotations = Object.fromEntries(
    flags.list('annotations').map((one) => {
      if (!one.includes('=')) throw new KubectlError(`invalid annotations format: ${one}`);
      return one.split(/=([\s\S]*)/, 2) as [string, string];
    }),
  );
  const env = flags.list('env').map((one) => {
    const cut = one.indexOf('=');
    if (cut <= 0) throw new KubectlError(`invalid env: ${one}`);
    return { name: one.slice(0, cut), value: one.slice(cut + 1) };
  });
  const container = {
    name,
    image: flags.text('image'),
    ...(words.length > 0 ? { [flags.bool('command') ? 'command' : 'args']: words } : {}),
    ...(flags.text('port') === '' ? {} : { ports: [{ containerPort: parsePort(flags.text('port')) }] }),
    ...(env.length > 0 ? { env } : {}),
    resources: {},
    ...(flags.text('image-pull-policy') === '' ? {} : { imagePullPolicy: flags.text('image-pull-policy') }),
    ...(flags.bool('privileged') ? { securityContext: { privileged: true } } : {}),
    ...(flags.bool('stdin') ? { stdin: true, ...(flags.bool('leave-stdin-open') ? {} : { stdinOnce: true }) } : {}),
    ...(flags.bool('tty') ? { tty: true } : {}),
  };
  const metadata = { name, labels, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) };
  return buildObject(pods, metadata, {
    spec: { containers: [container], restartPolicy: flags.text('restart'), dnsPolicy: 'ClusterFirst' },
    status: {},
  });
}

function parsePort(text: string): number {
  if (!/^[-+]?\d+$/.test(text)) throw new KubectlError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

function readLabels(text: string): JsonObject {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const parts = pair.split('=');
      if (parts.length !== 2) throw new KubectlError(`unexpected label spec: ${pair}`);
      return parts as [string, string];
    }),
  );
}

function buildService(name: string, port: string, selector: Json): JsonObject {
  const number = parsePort(port);
  return buildObject(
    services,
    { name },
    { spec: { ports: [{ protocol: 'TCP', port: number, targetPort: number }], selector }, status: { loadBalancer: {} } },
  );
}

async function createAndPrint(call: Call, resource: typeof pods, object: JsonObject): Promise<JsonObject> {
  const { flags, out } = call;
  const dryRun = parseDryRun(call);
  const { name: namespace, explicit } = await call.namespace();
  let made = withChangeCause(call, explicit ? setMetadata(object, { namespace }) : object);
  if (flags.bool('save-config')) made = await setTypedLastApplied(call, made);
  if (dryRun !== 'client')
    made = await createObject(call, { resource, namespace }, setMetadata(made, { namespace }), {
      manager: flags.text('field-manager'),
      dryRun,
    });
  // An attached command prints only the container's output.
  if (!(flags.bool('stdin') || flags.bool('attach')) || dryRun !== 'none')
    out((await createPrinter(call, { operation: withDryRun('created', dryRun), typed: true }))(made));
  return made;
}

/** Attaches to the container of a new pod, and reports its exit code where it is not restarted. Cf. kubectl run. */
async function attachTo(call: Call, pod: JsonObject): Promise<number> {
  const { flags } = call;
  const name = nameOf(pod);
  const { spec }: Pod = pod;
  const container = spec?.containers?.[0]?.name ?? '';
  const timeoutMs = flags.duration('pod-running-timeout');
  const { name: namespace } = await call.namespace();
  const info = { resource: pods, namespace, name, object: pod, source: undefined };
  try {
    const streams = { container, stdin: flags.bool('stdin'), tty: flags.bool('tty'), quiet: flags.bool('quiet') };
    const code = await attachWhenRunning(call, name, streams, timeoutMs);
    if (flags.bool('leave-stdin-open') || flags.text('restart') === 'Always' || call.signal.aborted) return code;
    const ended = await waitForCondition(call, info, (object) => isCompleted(object), call.shell.clock.monotonicMs() + timeoutMs);
    return exitCodeOf(call, ended ?? pod, `${namespace}/${name}`);
  } finally {
    if (flags.bool('rm')) {
      const { forceDelete } = await import('../changes/delete.ts');
      await forceDelete(call, info);
    }
  }
}

type Pod = Decoded<corev1.Pod>;

const isCompleted = (pod: Pod | undefined): boolean => pod === undefined || /^(Succeeded|Failed)$/.test(pod.status?.phase ?? '');

function exitCodeOf(call: Call, { status }: Pod, name: string): number {
  if (status?.phase !== 'Failed') return 0;
  const { exitCode = 0, reason = '', message = '' } = status.containerStatuses?.[0]?.state?.terminated ?? {};
  if (exitCode === 0) throw new KubectlError(`pod ${name} failed with unknown exit code`);
  call.err(`pod ${name} terminated (${reason})\n${message}\n`);
  return exitCode;
}
