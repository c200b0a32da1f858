/** A parameter of an operation, apart from its body. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'boolean' | 'integer' | 'string';
  readonly description: string;
  /** Its name among the shared parameters of version 2; undefined when version 2 writes it out at every use. */
  readonly shared: string | undefined;
}

/**
 * In kube-apiserver the suffix of a shared name is a digest of its own wording. Clients only resolve it as a reference, so it is fixed here
 * and does not depend on our wording.
 */
function query(name: string, type: Parameter['type'], digest: string, description: string): Parameter {
  return { name, in: 'query', type, description, shared: digest === '' ? undefined : `${name}-${digest}` };
}

function path(name: string, digest: string, description: string): Parameter {
  return { name, in: 'path', type: 'string', description, shared: digest === '' ? undefined : `${name}-${digest}` };
}

export const nameInPath: Parameter = path('name', '', 'Name of the object.');
export const namespaceInPath: Parameter = path('namespace', 'vgWSWtn3', 'Namespace of the objects.');
export const proxyPathInPath: Parameter = path('path', 'z6Ciiujn', 'Path of the request that is passed on.');

const pretty: Parameter = query('pretty', 'string', 'tJGM1-ng', 'Whether the answer is indented.');
const dryRun = query('dryRun', 'string', '', 'With All the request runs through every stage and stores nothing.');
const fieldManager = query('fieldManager', 'string', 'Qy4HdaTW', 'Who makes the change: at most 128 printable characters.');
const patchManager = query('fieldManager', 'string', '7c6nTn1T', 'Who makes the change; required for an apply.');
const fieldValidation = query(
  'fieldValidation',
  'string',
  '',
  'What happens to unknown and duplicate fields: Ignore drops them, Warn (the default) warns as well, Strict refuses the request.',
);
const force = query('force', 'boolean', 'tOGGb0Yi', 'Takes over fields that others manage; only for an apply.');
const gracePeriodSeconds = query('gracePeriodSeconds', 'integer', '-K5HaBOS', 'Seconds until the object is gone; zero at once.');
const ignoreStoreReadError = query(
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'boolean',
  'QbNkfIqj',
  'Deletes an object that can no longer be read from the store.',
);
const orphanDependents = query('orphanDependents', 'boolean', 'uRB25kX5', 'Older form of propagationPolicy.');
const propagationPolicy = query('propagationPolicy', 'string', '6jk3prlO', 'What happens to dependents: Orphan, Background or Foreground.');

const continueFrom = query('continue', 'string', 'QfD61s0i', 'Goes on with a list at the token of its last chunk.');
const fieldSelector = query('fieldSelector', 'string', 'xIcQKXFG', 'Only objects whose fields fit.');
const labelSelector = query('labelSelector', 'string', '5Zw57w4C', 'Only objects whose labels fit.');
const limit = query('limit', 'integer', '1NfNmdNH', 'At most this many objects in one answer.');
const resourceVersion = query('resourceVersion', 'string', '5WAnf1kx', 'How fresh the answer has to be, or where a watch begins.');
const resourceVersionMatch = query('resourceVersionMatch', 'string', 't8XhRHeC', 'How resourceVersion is meant: Exact or NotOlderThan.');
const sendInitialEvents = query(
  'sendInitialEvents',
  'boolean',
  'rLXlEK_k',
  'Begins a watch with the objects there are, and a bookmark after them.',
);
const timeoutSeconds = query('timeoutSeconds', 'integer', 'yvYezaOC', 'Seconds after which the answer ends.');

export const reading: readonly Parameter[] = [pretty];
export const writing: readonly Parameter[] = [pretty, dryRun, fieldManager, fieldValidation];
export const patching: readonly Parameter[] = [pretty, dryRun, patchManager, fieldValidation, force];
export const listing: readonly Parameter[] = [
  pretty,
  query('allowWatchBookmarks', 'boolean', 'HC2hJt-J', 'A watch may get events that tell only how far it is.'),
  continueFrom,
  fieldSelector,
  labelSelector,
  limit,
  resourceVersion,
  resourceVersionMatch,
  sendInitialEvents,
  timeoutSeconds,
  query('watch', 'boolean', 'XNNPZGbK', 'Answers with changes as they happen.'),
];
const deletingOne = [dryRun, gracePeriodSeconds, ignoreStoreReadError, orphanDependents, propagationPolicy];
export const deleting: readonly Parameter[] = [pretty, ...deletingOne];
export const deletingMany: readonly Parameter[] = [
  pretty,
  ...deletingOne,
  continueFrom,
  fieldSelector,
  labelSelector,
  limit,
  resourceVersion,
  resourceVersionMatch,
  sendInitialEvents,
  timeoutSeconds,
];

export const readingLog: readonly Parameter[] = [
  pretty,
  query('container', 'string', '1GeXxFDC', 'The container whose log is read; needed when there are several.'),
  query('follow', 'boolean', '9OIXh_2R', 'Goes on with what is logged later.'),
  query('insecureSkipTLSVerifyBackend', 'boolean', 'gM00jVbe', "Does not check the kubelet's certificate."),
  query('limitBytes', 'integer', 'zwd1RXuc', 'At most this many bytes.'),
  query('previous', 'boolean', '1jxDPu3y', 'The log of the container that ran before.'),
  query('sinceSeconds', 'integer', 'vE2NLdnP', 'Only what is younger than this many seconds.'),
  query('stream', 'string', 'l-48cgXv', 'Which output: All, Stdout or Stderr.'),
  query('tailLines', 'integer', '9xQLWHMV', 'Only this many lines from the end.'),
  query('timestamps', 'boolean', 'c17fW1w_', 'Begins each line with its time.'),
];

function streams(container: string, stderr: string, stdin: string, stdout: string, tty: string): readonly Parameter[] {
  return [
    query('container', 'string', container, 'The container; needed when there are several.'),
    query('stderr', 'boolean', stderr, 'Sends the error output.'),
    query('stdin', 'boolean', stdin, 'Passes input on.'),
    query('stdout', 'boolean', stdout, 'Sends the output.'),
    query('tty', 'boolean', tty, 'Gives the process a terminal.'),
  ];
}

const proxying = (digest: string): readonly Parameter[] => [query('path', 'string', digest, 'Path of the request that is passed on.')];

/** Connections to something else, by the kind of their options. */
export const connecting: Readonly<Record<string, { readonly proxy: boolean; readonly parameters: readonly Parameter[] }>> = {
  NodeProxyOptions: { proxy: true, parameters: proxying('rFDtV0x9') },
  PodAttachOptions: { proxy: false, parameters: streams('_Q-EJ3nR', '26jJhFUR', 'sEFnN3IS', '005YMKE6', 'g7MlET_l') },
  PodExecOptions: {
    proxy: false,
    parameters: [
      query('command', 'string', 'Py3eQybp', 'The command and its arguments.'),
      ...streams('i5dOmRiM', 'W_1TNlWc', 'PSzNhyUC', '-EZLRwV1', 's0flW37O'),
    ],
  },
  PodPortForwardOptions: { proxy: false, parameters: [query('ports', 'integer', '91KROJmm', 'Ports to forward.')] },
  PodProxyOptions: { proxy: true, parameters: proxying('oPbzgLUj') },
  ServiceProxyOptions: { proxy: true, parameters: proxying('QCf0eosM') },
};

/** Sorts by name, path parameters before query parameters. */
export function inOrder(parameters: readonly Parameter[]): readonly Parameter[] {
  return [...parameters].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.in < b.in ? -1 : 1));
}
