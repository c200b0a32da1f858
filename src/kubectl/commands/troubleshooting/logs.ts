import { readChunks } from '../../../client/index.ts';
import { StatusError } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { bool, duration, int, text } from '../../parse/flags.ts';
import { type Call, type Command, usageError } from '../../program/command.ts';
import { KubectlError, messageOf } from '../../program/errors.ts';
import { selectorFlag } from '../../program/global-flags.ts';
import { nameOf } from '../../resources/info.ts';
import { resolvePods } from '../resolve-pods.ts';

export const logs: Command = {
  flags: {
    ...selectorFlag,
    'all-containers': bool(),
    'all-pods': bool(),
    container: text('', 'c'),
    follow: bool(false, 'f'),
    'ignore-errors': bool(),
    'insecure-skip-tls-verify-backend': bool(),
    'limit-bytes': int(0),
    'max-log-requests': int(5),
    'pod-running-timeout': duration('20s'),
    prefix: bool(),
    previous: bool(false, 'p'),
    since: duration(),
    'since-time': text(),
    tail: int(-1),
    timestamps: bool(),
  },
  run: runLogs,
};

async function runLogs(call: Call): Promise<number> {
  const { flags, words } = call;
  if (words.length === 0 && flags.text('selector') === '') {
    throw usageError(
      call,
      "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command",
    );
  }
  if (words.length > 0 && flags.text('selector') !== '') throw usageError(call, 'only a selector (-l) or a POD name is allowed');
  if (words.length > 2)
    throw usageError(
      call,
      "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command",
    );
  const { name: namespace } = await call.namespace();
  const options = { selector: flags.text('selector'), purpose: 'get the logs from' };
  const pods = await resolvePods(call, words[0], options).catch((error: unknown) => {
    if (error instanceof StatusError && error.reason === 'NotFound') {
      throw new KubectlError(`error: error from server (NotFound): ${error.message} in namespace ${JSON.stringify(namespace)}`);
    }
    throw error;
  });
  if (pods.length === 0) call.err(`No resources found in ${namespace} namespace.\n`);
  const container = words[1] ?? flags.text('container');
  for (const pod of pods) {
    for (const name of selectContainers(call, pod, container)) await printLogOf(call, namespace, nameOf(pod), name);
  }
  return 0;
}

const namesOf = (containers: readonly { readonly name?: string | undefined }[] = []): readonly string[] =>
  containers.map(({ name = '' }) => name);

/** The named container, all of them, or the default one. @throws KubectlError */
function selectContainers(call: Call, pod: Decoded<corev1.Pod>, containerName: string): readonly string[] {
  const { containers, initContainers, ephemeralContainers } = pod.spec ?? {};
  const [own, initial, ephemeral] = [namesOf(containers ?? []), namesOf(initContainers), namesOf(ephemeralContainers)] as const;
  const all = [...initial, ...own, ...ephemeral];
  if (call.flags.bool('all-containers')) return all;
  if (containerName !== '') {
    if (!all.includes(containerName)) throw new KubectlError(`container ${containerName} is not valid for pod ${nameOf(pod)}`);
    return [containerName];
  }
  if (all.length > 1)
    call.err(
      `Defaulted container ${JSON.stringify(own[0])} out of: ${[...own, ...initial.map((name) => `${name} (init)`), ...ephemeral.map((name) => `${name} (ephem)`)].join(', ')}\n`,
    );
  return own.slice(0, 1);
}

async function printLogOf(call: Call, namespace: string, pod: string, container: string): Promise<void> {
  const { flags } = call;
  const given = (flag: string, value: string): string | undefined => (flags.changed(flag) ? value : undefined);
  const query = {
    follow: flags.bool('follow') ? 'true' : undefined,
    previous: flags.bool('previous') ? 'true' : undefined,
    timestamps: flags.bool('timestamps') ? 'true' : undefined,
    tailLines: given('tail', flags.text('tail')) ?? (flags.text('selector') !== '' && !flags.bool('follow') ? '10' : undefined),
    sinceSeconds: given('since', String(Math.ceil(flags.duration('since') / 1000))),
    sinceTime: flags.text('since-time') || undefined,
    limitBytes: given('limit-bytes', flags.text('limit-bytes')),
  };
  const prefix = flags.bool('prefix') ? `[pod/${pod}/${container}] ` : '';
  try {
    await printLog(call, { namespace, pod, container, query, prefix });
  } catch (error) {
    if (!(error instanceof StatusError && flags.bool('ignore-errors'))) throw error;
    call.err(`error: ${messageOf(error)}\n`);
  }
}

export interface PrintedLog {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** Further parameters of the request. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Precedes each line. */
  readonly prefix?: string;
}

/** @throws StatusError */
export async function printLog(call: Call, { namespace, pod, container, query, prefix = '' }: PrintedLog): Promise<void> {
  const client = await call.api();
  const body = await client.body('GET', `/api/v1/namespaces/${namespace}/pods/${pod}/log`, { query: { container, ...query } });
  for await (const chunk of readChunks(body)) call.out(prefix === '' ? chunk : prefixLines(chunk, prefix));
}

function prefixLines(chunk: string | Uint8Array, prefix: string): string {
  const text = typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
  return text.replace(/^(?=.)/gm, prefix);
}
