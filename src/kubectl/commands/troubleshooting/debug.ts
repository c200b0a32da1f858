import { isImageReference, isJsonObject, type JsonObject, jsonKind, objectsAt, recordAt } from '../../../meta/index.ts';
import { applyStrategicMergePatch } from '../../../patch/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { formatKind, resourcePath } from '../../api/discovery.ts';
import { bool, list, optional, text } from '../../parse/flags.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { Builder } from '../../resources/builder.ts';
import { createObject, patchObject } from '../../resources/changes.ts';
import { type Info, nameOf, namespaceOf } from '../../resources/info.ts';
import { randomSuffix } from '../../resources/random-suffix.ts';
import { requestFromFlags } from '../../resources/requests.ts';
import { schemaOf } from '../../resources/schema-of.ts';
import { pods } from '../resolve-pods.ts';
import { attachWhenRunning } from './attach-pod.ts';
import { type DebugContainer, newContainer, nodeDebugPod, podCopy } from './debug-pods.ts';
import { applyProfile, type DebugStyle, isDebugProfile } from './debug-profiles.ts';

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

/** Adds an ephemeral container to a pod, or creates a copy of the pod, or a pod on a node. Cf. pkg/cmd/debug. */
async function runDebug(call: Call): Promise<number> {
  const { flags } = call;
  const { name: namespace } = await call.namespace();
  if (!isDebugProfile(flags.text('profile'))) throw new KubectlError(`unknown profile: ${flags.text('profile')}`);
  const custom = flags.text('custom') === '' ? undefined : await readCustomProfile(call, flags.text('custom'));
  await call.cluster();
  const targets = call.words.slice(0, flags.argsBeforeDash ?? call.words.length);
  validate(call, targets, custom);
  const request = await requestFromFlags(call, { words: targets, namespace, defaultType: 'pods', typed: true });
  let code = 0;
  await new Builder(call, request).visit(async (info) => {
    const started = await debugObject(call, info, custom);
    if (started.container !== '') code = await attachTo(call, started);
  });
  return code;
}

/** A pod and its debug container; empty: the images were changed only. */
interface StartedContainer {
  readonly pod: string;
  readonly container: string;
}

async function debugObject(call: Call, info: Info, custom: JsonObject | undefined): Promise<StartedContainer> {
  const { resource, object = {} } = info;
  if (resource.name === 'nodes') return debugNode(call, nameOf(object), custom);
  if (resource.name !== 'pods') throw new KubectlError(`${JSON.stringify(formatKind(resource))} not supported by debug`);
  return call.flags.text('copy-to') === '' ? addEphemeralContainer(call, object, custom) : createCopy(call, object, custom);
}

/** A container of JSON or YAML, which is merged into the debug container. @throws KubectlError */
async function readCustomProfile(call: Call, file: string): Promise<JsonObject> {
  const content = await call.shell.files.read(call.path(file));
  if (!content) throw new KubectlError(`must pass a container spec json file for custom profile: open ${file}: no such file or directory`);
  const { readYaml } = await import('../../yaml/read-yaml.ts');
  const value = await readYaml(new TextDecoder().decode(content));
  if (isJsonObject(value)) return value;
  const why = `json: cannot unmarshal ${jsonKind(value)} into Go value of type v1.Container`;
  throw new KubectlError(`${file} does not contain a valid container spec: error unmarshaling JSON: while decoding JSON: ${why}`);
}

/** Flags that require `--copy-to`, in the order in which kubectl checks them. */
const copyFlags = ['replace', 'same-node', 'set-image'];
const customizable = ['name', 'command', 'image', 'lifecycle', 'volumeDevices'];

/** @throws KubectlError */
function validate(call: Call, targets: readonly string[], custom: JsonObject | undefined): void {
  const { flags, words } = call;
  const image = flags.text('image');
  const requireImageName = (value: string, where = ''): void => {
    if (!isImageReference(value)) throw new KubectlError(`invalid image name ${JSON.stringify(value)}${where}: invalid reference format`);
  };
  if (flags.changed('attach') && flags.bool('attach') && image === '' && flags.text('container') === '')
    throw new KubectlError('you must specify --container or create a new container using --image in order to attach.');
  if (flags.text('copy-to') === '') requireEphemeral(call);
  else requireCopy(call, words.length > targets.length);
  if (image !== '') requireImageName(image);
  if (targets.length === 0 && flags.list('filename').length === 0) throw new KubectlError('NAME or filename is required for debug');
  const policy = flags.text('image-pull-policy');
  if (!['Always', 'IfNotPresent', 'Never', ''].includes(policy)) throw new KubectlError(`invalid image pull policy: ${policy}`);
  for (const [container, value] of flags.pairs('set-image')) requireImageName(value, ` for container ${JSON.stringify(container)}`);
  reportTarget(call);
  if (flags.bool('tty') && !flags.bool('stdin')) throw new KubectlError('-i/--stdin is required for containers with -t/--tty=true');
  if (custom && customizable.some((member) => custom[member] !== undefined))
    throw new KubectlError('name, command, image, lifecycle and volume devices are not modifiable via custom profile');
  if (flags.text('profile') === 'legacy') {
    call.err(
      '--profile=legacy is deprecated and will be removed in the future. It is recommended to explicitly specify a profile, for example "--profile=general".\n',
    );
  }
}

function requireEphemeral({ flags }: Call): void {
  const misused = copyFlags.find((flag) => (flag === 'set-image' ? flags.list(flag).length > 0 : flags.bool(flag)));
  if (misused !== undefined) throw new KubectlError(`--${misused} may only be used with --copy-to.`);
  if (flags.text('image') === '') throw new KubectlError('you must specify --image when not using --copy-to.');
}

function requireCopy({ flags }: Call, hasCommand: boolean): void {
  if (flags.text('image') !== '') return;
  if (flags.list('set-image').length === 0 && !hasCommand)
    throw new KubectlError('you must specify --image, --set-image or command arguments.');
  if (hasCommand && flags.text('container') === '')
    throw new KubectlError('you must specify an existing container or a new image when specifying args.');
}

function reportTarget({ flags, out }: Call): void {
  const target = flags.text('target');
  if (target === '') return;
  if (flags.text('copy-to') !== '') throw new KubectlError('--target is incompatible with --copy-to. Use --share-processes instead.');
  if (flags.bool('quiet')) return;
  out(
    `Targeting container ${JSON.stringify(target)}. If you don't see processes from this container it may be because the container runtime doesn't support this feature.\n`,
  );
}

/** Applies the profile of the flags, and then the custom one. */
function withProfiles(call: Call, pod: JsonObject, container: string, style: DebugStyle, custom: JsonObject | undefined): JsonObject {
  const { flags, product } = call;
  const retained = {
    labels: flags.bool('keep-labels'),
    annotations: flags.bool('keep-annotations'),
    liveness: flags.bool('keep-liveness'),
    readiness: flags.bool('keep-readiness'),
    startup: flags.bool('keep-startup'),
    initContainers: flags.bool('keep-init-containers'),
  };
  const changed = applyProfile(flags.text('profile'), pod, container, style, retained);
  const schema = schemaOf(product, pods);
  if (!custom || !schema) return changed;
  const list = style === 'ephemeral' ? 'ephemeralContainers' : 'containers';
  return applyStrategicMergePatch(changed, { spec: { [list]: [{ ...custom, name: container }] } }, schema);
}

/** A container of a pod with another user may lack the rights that its profile grants. Cf. displayWarning. */
function warnOfUser({ err }: Call, pod: JsonObject, name: string): void {
  const { spec = {} }: Decoded<corev1.Pod> = pod;
  const container = [...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])].find((one) => one.name === name);
  const { securityContext } = container ?? {};
  if (!securityContext || (spec.securityContext?.runAsUser ?? 0) === 0 || securityContext.runAsUser === 0) return;
  if (securityContext.privileged !== true && (securityContext.capabilities?.add ?? []).length === 0) return;
  err(
    'Warning: Non-root user is configured for the entire target Pod, and some capabilities granted by debug profile may not work. Please consider using "--custom" with a custom profile that specifies "securityContext.runAsUser: 0".\n',
  );
}

async function addEphemeralContainer(call: Call, pod: JsonObject, custom: JsonObject | undefined): Promise<StartedContainer> {
  const { flags } = call;
  const spec = recordAt(pod, 'spec');
  const known = objectsAt(spec, 'ephemeralContainers');
  const name = containerName(call, pod);
  const target = flags.text('target');
  const added = { ...newContainer(name, containerOf(call)), ...(target === '' ? {} : { targetContainerName: target }) };
  const debugged = withProfiles(call, { ...pod, spec: { ...spec, ephemeralContainers: [...known, added] } }, name, 'ephemeral', custom);
  warnOfUser(call, debugged, name);
  const container = objectsAt(recordAt(debugged, 'spec'), 'ephemeralContainers').at(-1) ?? added;
  const place = { resource: pods, namespace: namespaceOf(pod), name: nameOf(pod) };
  const order = [...known.map((one) => ({ name: one['name'] ?? '' })), { name }];
  const patch = { spec: { '$setElementOrder/ephemeralContainers': order, ephemeralContainers: [container] } };
  await patchObject(call, place, 'strategic', JSON.stringify(patch), {
    manager: '',
    dryRun: 'none',
    subresource: 'ephemeralcontainers',
  });
  return { pod: nameOf(pod), container: name };
}

/** Attaches to the debug container, by default when it is interactive. */
async function attachTo(call: Call, { pod, container }: StartedContainer): Promise<number> {
  const { flags } = call;
  if (!(flags.changed('attach') ? flags.bool('attach') : flags.bool('stdin'))) return 0;
  const streams = { container, stdin: flags.bool('stdin'), tty: flags.bool('tty'), quiet: flags.bool('quiet') };
  return attachWhenRunning(call, pod, streams, 60_000);
}

async function createCopy(call: Call, pod: JsonObject, custom: JsonObject | undefined): Promise<StartedContainer> {
  const { flags } = call;
  const images = Object.fromEntries(flags.pairs('set-image'));
  const onlyImages = flags.text('image') === '' && Object.keys(images).length > 0;
  const options = {
    name: flags.text('copy-to'),
    container: onlyImages ? flags.text('container') : containerName(call, pod),
    shareProcesses: flags.changed('share-processes') ? flags.bool('share-processes') : undefined,
    sameNode: flags.bool('same-node'),
    images,
  };
  const copy = podCopy(pod, options, containerOf(call));
  const hasContainer = objectsAt(recordAt(copy, 'spec'), 'containers').some((container) => container['name'] === options.container);
  const changed = hasContainer ? withProfiles(call, copy, options.container, 'copy', custom) : copy;
  warnOfUser(call, changed, options.container);
  await createObject(call, { resource: pods, namespace: namespaceOf(pod) }, changed, { manager: '', dryRun: 'none' });
  if (flags.bool('replace')) {
    const client = await call.api();
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 };
    await client.read('DELETE', resourcePath(pods, namespaceOf(pod), nameOf(pod)), { body });
  }
  return { pod: flags.text('copy-to'), container: hasContainer ? options.container : '' };
}

async function debugNode(call: Call, node: string, custom: JsonObject | undefined): Promise<StartedContainer> {
  const { flags } = call;
  const { name: namespace } = await call.namespace();
  const container = flags.text('container') || 'debugger';
  const pod = `node-debugger-${node}-${randomSuffix(call)}`;
  if (!flags.bool('quiet')) call.out(`Creating debugging pod ${pod} with container ${container} on node ${node}.\n`);
  const made = withProfiles(call, nodeDebugPod(node, pod, container, containerOf(call)), container, 'node', custom);
  await createObject(call, { resource: pods, namespace }, made, { manager: '', dryRun: 'none' });
  return { pod, container };
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
function containerName(call: Call, pod: JsonObject): string {
  const given = call.flags.text('container');
  if (given !== '') return given;
  const spec = recordAt(pod, 'spec');
  const lists = ['containers', 'initContainers', 'ephemeralContainers'];
  const taken = new Set(lists.flatMap((list) => objectsAt(spec, list)).map((container) => String(container['name'])));
  let name = `debugger-${randomSuffix(call)}`;
  while (taken.has(name)) name = `debugger-${randomSuffix(call)}`;
  if (!call.flags.bool('quiet')) call.out(`Defaulting debug container name to ${name}.\n`);
  return name;
}
