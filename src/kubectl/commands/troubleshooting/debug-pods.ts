import { type JsonObject, objectsAt, recordAt } from '../../../meta/index.ts';
import { KubectlError } from '../../program/errors.ts';

/** The container of `kubectl debug`, as far as its flags set it. */
export interface DebugContainer {
  readonly image: string;
  readonly imagePullPolicy: string;
  readonly env: readonly JsonObject[];
  /** The words after `--`. */
  readonly words: readonly string[];
  /** Whether the words are the arguments of the image's own command. */
  readonly argumentsOnly: boolean;
  readonly stdin: boolean;
  readonly tty: boolean;
}

export interface PodCopyOptions {
  readonly name: string;
  /** The container that is changed or added. */
  readonly container: string;
  /** Undefined: that of the pod. */
  readonly shareProcesses: boolean | undefined;
  readonly sameNode: boolean;
  /** Images by container; `*` is all. */
  readonly images: Readonly<Record<string, string>>;
}

/** Cf. pkg/cmd/debug generatePodCopyWithDebugContainer. @throws KubectlError */
export function podCopy(pod: JsonObject, options: PodCopyOptions, debug: DebugContainer): JsonObject {
  const { ephemeralContainers: _, nodeName, ...spec } = recordAt(pod, 'spec');
  const { annotations, labels, namespace } = recordAt(pod, 'metadata');
  const containers = objectsAt(spec, 'containers').map((container) => {
    const image = options.images[String(container['name'])] ?? options.images['*'];
    return image === undefined ? container : { ...container, image };
  });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: options.name,
      ...(namespace ? { namespace } : {}),
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
    },
    spec: {
      ...spec,
      ...(options.sameNode && nodeName !== undefined ? { nodeName } : {}),
      ...(options.shareProcesses === undefined ? {} : { shareProcessNamespace: options.shareProcesses }),
      containers: withDebugContainer(containers, options, debug),
    },
  };
}

function withDebugContainer(
  containers: readonly JsonObject[],
  { container: name, images }: PodCopyOptions,
  debug: DebugContainer,
): JsonObject[] {
  const isKnown = containers.some((container) => container['name'] === name);
  if (isKnown) return containers.map((container) => (container['name'] === name ? changedBy(container, debug) : container));
  if (debug.image !== '') return [...containers, newContainer(name, debug)];
  if (Object.keys(images).length > 0) return [...containers];
  throw new KubectlError('you must specify image when creating new container');
}

function changedBy(container: JsonObject, { words, argumentsOnly, image, imagePullPolicy, env, stdin, tty }: DebugContainer): JsonObject {
  const { command, args, stdin: _, tty: __, ...rest } = container;
  const ownCommand = { ...(command === undefined ? {} : { command }), ...(args === undefined ? {} : { args }) };
  const withArguments = { ...(command === undefined ? {} : { command }), args: [...words] };
  return {
    ...rest,
    ...(words.length === 0 ? ownCommand : argumentsOnly ? withArguments : { command: [...words] }),
    ...(image === '' ? {} : { image }),
    ...(imagePullPolicy === '' ? {} : { imagePullPolicy }),
    ...(env.length === 0 ? {} : { env: [...env] }),
    ...(stdin ? { stdin } : {}),
    ...(tty ? { tty } : {}),
  };
}

/** A pod on a node. Cf. pkg/cmd/debug generateNodeDebugPod. */
export function nodeDebugPod(node: string, name: string, container: string, debug: DebugContainer): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { 'app.kubernetes.io/managed-by': 'kubectl-debug' } },
    spec: {
      containers: [newContainer(container, debug)],
      nodeName: node,
      restartPolicy: 'Never',
      tolerations: [{ operator: 'Exists' }],
    },
  };
}

export const newContainer = (name: string, debug: DebugContainer): JsonObject =>
  changedBy({ name, resources: {}, terminationMessagePolicy: 'File' }, debug);
