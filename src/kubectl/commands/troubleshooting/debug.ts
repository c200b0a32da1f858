import { type JsonObject, objectsAt, recordAt } from '../../../meta/index.ts';
import { builtInResource, formatKind } from '../../api/discovery.ts';
import { bool, list, optional, text } from '../../parse/flags.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { createObject, getObject, patchObject } from '../../resources/changes.ts';
import { type Info, nameOf } from '../../resources/info.ts';
import { pods, resolvePods } from '../resolve-pods.ts';
import { attachWhenRunning } from './attach-pod.ts';
import { type DebugContainer, nodeDebugPod, podCopy } from './debug-pods.ts';

export const debug: Command = {
  flags: {
    filename: list('f'),
    'arguments-only': bool(),
    attach: bool(),
    container: text('', 'c'),
    'copy-to': text(),
    env: { kind: 'pairs' },
    image: text(),
    'keep-annotations': bool(),
    'keep-init-containers': bool(true),
    'keep-labels': bool(),
    'keep-liveness': bool(),
    'keep-readiness': bool(),
    'keep-startup': bool(),
    'image-pull-policy': text(),
    profile: text('legacy'),
    quiet: bool(false, 'q'),
    replace: bool(),
    'same-node': bool(),
    'set-image': { kind: 'pairs' },
    'share-processes': bool(true),
    stdin: bool(false, 'i'),
    target: text(),
    tty: bool(false, 't'),
    custom: optional('', ''),
  },
  run: runDebug,
};

/** Adds an ephemeral container to a pod, or creates a copy of the pod, or a pod on a node. */
async function runDebug(call: Call): Promise<number> {
  const { flags, words } = call;
  if (flags.text('image') === '' && flags.text('copy-to') === '')
    throw new KubectlError('you must specify --image when not using --copy-to.');
  const [word] = words;
  if (word === undefined) throw new KubectlError('NAME or TYPE/NAME is required for debug');
  warnOfProfile(call);
  if (!profiles.has(flags.text('profile'))) throw new KubectlError(`unknown profile: ${flags.text('profile')}`);
  const [, node] = /^(?:node|nodes|no)\/(.+)$/.exec(word) ?? [];
  if (node !== undefined) return debugNode(call, node);
  const otherError = ({ resource }: Info): KubectlError =>
    new KubectlError(`${JSON.stringify(formatKind(resource))} not supported by debug`);
  const [pod] = await resolvePods(call, word, { otherError });
  if (!pod) throw new KubectlError('no pods found');
  return flags.text('copy-to') === '' ? addEphemeralContainer(call, pod) : createCopy(call, pod);
}

const profiles: ReadonlySet<string> = new Set(['legacy', 'general', 'baseline', 'restricted', 'netadmin', 'sysadmin']);

function warnOfProfile({ flags, err }: Call): void {
  if (flags.text('profile') !== 'legacy') return;
  err(
    '--profile=legacy is deprecated and will be removed in the future. It is recommended to explicitly specify a profile, for example "--profile=general".\n',
  );
}

async function addEphemeralContainer(call: Call, pod: JsonObject): Promise<number> {
  const { flags } = call;
  const { name: namespace } = await call.namespace();
  const { words, argumentsOnly, image, imagePullPolicy, env, stdin, tty } = containerOf(call);
  const container = {
    name: containerName(call, []),
    image,
    imagePullPolicy: imagePullPolicy || 'IfNotPresent',
    resources: {},
    ...(env.length > 0 ? { env: [...env] } : {}),
    ...(stdin ? { stdin } : {}),
    ...(tty ? { tty } : {}),
    terminationMessagePolicy: 'File',
    ...(words.length > 0 ? { [argumentsOnly ? 'args' : 'command']: [...words] } : {}),
    ...(flags.text('target') === '' ? {} : { targetContainerName: flags.text('target') }),
  };
  const place = { resource: pods, namespace, name: nameOf(pod) };
  await patchObject(call, place, 'strategic', JSON.stringify({ spec: { ephemeralContainers: [container] } }), {
    manager: '',
    dryRun: 'none',
    subresource: 'ephemeralcontainers',
  });
  return attachTo(call, nameOf(pod), container.name);
}

/** Attaches to the debug container, by default when it is interactive. */
async function attachTo(call: Call, pod: string, container: string): Promise<number> {
  const { flags } = call;
  if (!(flags.changed('attach') ? flags.bool('attach') : flags.bool('stdin'))) return 0;
  const streams = { container, stdin: flags.bool('stdin'), tty: flags.bool('tty'), quiet: flags.bool('quiet') };
  return attachWhenRunning(call, pod, streams, 60_000);
}

async function createCopy(call: Call, pod: JsonObject): Promise<number> {
  const { flags } = call;
  const { name: namespace } = await call.namespace();
  const images = imagesOf(flags.list('set-image'));
  const existing = objectsAt(recordAt(pod, 'spec'), 'containers').map((container) => String(container['name']));
  const onlyImages = flags.text('image') === '' && Object.keys(images).length > 0;
  const options = {
    name: flags.text('copy-to'),
    container: onlyImages ? flags.text('container') : containerName(call, existing),
    shareProcesses: flags.changed('share-processes') ? flags.bool('share-processes') : undefined,
    sameNode: flags.bool('same-node'),
    images,
  };
  const copy = podCopy(pod, options, containerOf(call));
  await createObject(call, { resource: pods, namespace }, copy, { manager: '', dryRun: 'none' });
  if (flags.bool('replace')) {
    const client = await call.api();
    await client.read('DELETE', `/api/v1/namespaces/${namespace}/pods/${nameOf(pod)}`);
  }
  return onlyImages ? 0 : attachTo(call, flags.text('copy-to'), options.container);
}

const nodes = builtInResource('v1', 'nodes', 'Node', false);

async function debugNode(call: Call, name: string): Promise<number> {
  const { flags } = call;
  const node = nameOf(await getObject(call, { resource: nodes, namespace: '', name }));
  warnOfProfile(call);
  const { name: namespace } = await call.namespace();
  const container = flags.text('container') || 'debugger';
  const pod = `node-debugger-${node}-${randomSuffix(call)}`;
  if (!flags.bool('quiet')) call.out(`Creating debugging pod ${pod} with container ${container} on node ${node}.\n`);
  const made = nodeDebugPod(node, pod, container, containerOf(call));
  await createObject(call, { resource: pods, namespace }, made, { manager: '', dryRun: 'none' });
  return attachTo(call, pod, container);
}

function containerOf({ flags, words }: Call): DebugContainer {
  return {
    image: flags.text('image'),
    imagePullPolicy: flags.text('image-pull-policy'),
    env: flags.list('env').map((one) => {
      const [name = '', ...value] = one.split('=');
      if (name === '' || value.length === 0) throw new KubectlError(`invalid env: ${one}`);
      return { name, value: value.join('=') };
    }),
    words: flags.argsBeforeDash === undefined ? [] : words.slice(flags.argsBeforeDash),
    argumentsOnly: flags.bool('arguments-only'),
    stdin: flags.bool('stdin'),
    tty: flags.bool('tty'),
  };
}

/** The name of the debug container, which is printed if it is not that of the flag. Cf. computeDebugContainerName. */
function containerName(call: Call, taken: readonly string[]): string {
  const given = call.flags.text('container');
  if (given !== '') return given;
  let name = `debugger-${randomSuffix(call)}`;
  while (taken.includes(name)) name = `debugger-${randomSuffix(call)}`;
  if (!call.flags.bool('quiet')) call.out(`Defaulting debug container name to ${name}.\n`);
  return name;
}

/** `container=image`, several separated by commas. */
function imagesOf(values: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    values
      .flatMap((value) => value.split(','))
      .map((pair) => {
        const cut = pair.indexOf('=');
        if (cut < 0) throw new KubectlError(`${pair} must be formatted as key=value`);
        return [pair.slice(0, cut), pair.slice(cut + 1)];
      }),
  );
}

function randomSuffix({ shell }: Call): string {
  const letters = 'bcdfghjklmnpqrstvwxz2456789';
  return Array.from({ length: 5 }, () => letters[shell.random.integer(letters.length)]).join('');
}
