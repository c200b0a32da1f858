import { readChunks } from '../../../client/index.ts';
import { type JsonObject, parseTime, StatusError, TimeError } from '../../../meta/index.ts';
import { bool, duration, int, text } from '../../parse/flags.ts';
import { type Call, type Command, usageError } from '../../program/command.ts';
import { isStatus, KubectlError, messageOf } from '../../program/errors.ts';
import { selectorFlag } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { type Info, nameOf } from '../../resources/info.ts';
import { requestFromFlags } from '../../resources/requests.ts';
import { byLogging } from '../pod-order.ts';
import { annotatedContainer, containerNames, podsOf, reportDefaultContainer } from '../resolve-pods.ts';

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

const usage = "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command";

async function runLogs(call: Call): Promise<number> {
  const { flags, words } = call;
  const selector = flags.text('selector');
  if (words.length > 2 || (words.length === 0 && selector === '')) throw usageError(call, usage);
  if (words.length === 1 && selector !== '') throw usageError(call, 'only a selector (-l) or a POD name is allowed');
  const { name: namespace } = await call.namespace();
  const query = readLogOptions(call);
  const infos = await selectObjects(call, namespace);
  if (infos.length === 0) call.err(`No resources found in ${namespace} namespace.\n`);
  validate(call);
  const logs: PrintedLog[] = [];
  for (const info of infos) {
    for (const pod of await podsToLog(call, info)) {
      for (const container of selectContainers(call, pod)) logs.push({ namespace, pod: nameOf(pod), container, query });
    }
  }
  const limit = flags.int('max-log-requests');
  if (flags.bool('follow') && logs.length > limit) {
    throw new KubectlError(
      `you are attempting to follow ${logs.length} log streams, but maximum allowed concurrency is ${limit}, use --max-log-requests to increase the limit`,
    );
  }
  const isWhole = logs.length < 2 || !flags.bool('follow');
  if (isWhole) for (const log of logs) await printOrReport(call, log);
  else await Promise.all(logs.map((log) => printOrReport(call, log)));
  return 0;
}

/** @throws KubectlError, StatusError with the message of kubectl for a missing pod */
async function selectObjects(call: Call, namespace: string): Promise<readonly Info[]> {
  const [word] = call.words;
  const selection = word === undefined ? { words: ['pods'] } : { words: [word], defaultType: 'pods' };
  try {
    const builder = new Builder(call, await requestFromFlags(call, { ...selection, typed: true, singleType: true }));
    return (await builder.infos()).infos;
  } catch (error) {
    if (!isStatus(error, 'NotFound')) throw error;
    throw new KubectlError(`error: error from server (NotFound): ${messageOf(error)} in namespace ${JSON.stringify(namespace)}`);
  }
}

/** The best pod of an object by its state, or with `--all-pods` all of its pods. */
async function podsToLog(call: Call, info: Info): Promise<readonly JsonObject[]> {
  const found = await podsOf(call, info, { purpose: 'get the logs from', order: byLogging });
  const [first] = found;
  if (found.length < 2 || !first || call.flags.bool('all-pods')) return found;
  call.err(`Found ${found.length} pods, using pod/${nameOf(first)}\n`);
  return [first];
}

/** The parameters of the requests. @throws KubectlError */
function readLogOptions({ flags }: Call): Readonly<Record<string, string | undefined>> {
  if (flags.duration('pod-running-timeout') <= 0) throw new KubectlError('--pod-running-timeout must be higher than zero');
  const sinceTime = flags.text('since-time');
  if (sinceTime !== '') requireTime(sinceTime);
  const isSet = (flag: string): string | undefined => (flags.bool(flag) ? 'true' : undefined);
  const tail = flags.int('tail') === -1 ? undefined : flags.text('tail');
  return {
    follow: isSet('follow'),
    previous: isSet('previous'),
    timestamps: isSet('timestamps'),
    insecureSkipTLSVerifyBackend: isSet('insecure-skip-tls-verify-backend'),
    tailLines: tail ?? (flags.text('selector') !== '' && !flags.changed('tail') ? '10' : undefined),
    sinceSeconds: flags.duration('since') === 0 ? undefined : String(Math.round(flags.duration('since') / 1000)),
    sinceTime: sinceTime || undefined,
    limitBytes: flags.int('limit-bytes') === 0 ? undefined : flags.text('limit-bytes'),
  };
}

/** @throws KubectlError */
function requireTime(text: string): void {
  try {
    parseTime(text);
  } catch (error) {
    if (error instanceof TimeError) throw new KubectlError(error.message);
    throw error;
  }
}

/** @throws KubectlError when flags contradict each other */
function validate({ flags, words }: Call): void {
  if (flags.text('since-time') !== '' && flags.duration('since') !== 0)
    throw new KubectlError('at most one of `sinceTime` or `sinceSeconds` may be specified');
  const container = words.length === 2 ? '' : flags.text('container');
  if (flags.bool('all-containers') && container !== '')
    throw new KubectlError(`--all-containers=true should not be specified with container name ${container}`);
  if (flags.changed('container') && words.length === 2) throw new KubectlError('only one of -c or an inline [CONTAINER] arg is allowed');
  if (flags.int('limit-bytes') < 0) throw new KubectlError('--limit-bytes must be greater than 0');
  if (flags.duration('since') < 0) throw new KubectlError('--since must be greater than 0');
  if (flags.int('tail') < -1) throw new KubectlError('--tail must be greater than or equal to -1');
}

/** The named container, all of them, or the default one. Cf. polymorphichelpers logsForObject. @throws KubectlError */
function selectContainers(call: Call, pod: JsonObject): readonly string[] {
  const { flags, words } = call;
  const { main, init, ephemeral } = containerNames(pod);
  const all = [...init, ...main, ...ephemeral];
  if (flags.bool('all-containers')) return all;
  const given = words[1] ?? flags.text('container');
  if (given !== '') {
    if (!all.includes(given)) throw new KubectlError(`container ${given} is not valid for pod ${nameOf(pod)}`);
    return [given];
  }
  const annotated = annotatedContainer(call, pod);
  if (annotated !== undefined) {
    if (all.includes(annotated)) return [annotated];
    call.err(`Default container name ${JSON.stringify(annotated)} not found in pod ${nameOf(pod)}\n`);
  }
  if (!flags.bool('all-pods')) reportDefaultContainer(call, pod);
  return main.slice(0, 1);
}

async function printOrReport(call: Call, log: PrintedLog): Promise<void> {
  const { flags } = call;
  const prefix = flags.bool('prefix') || flags.bool('all-pods') ? `[pod/${log.pod}/${log.container}] ` : '';
  try {
    await printLog(call, { ...log, prefix });
  } catch (error) {
    if (!(error instanceof StatusError && flags.bool('ignore-errors'))) throw error;
    call.out(`error: ${messageOf(error)}\n`);
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

/** Prints whole lines, since several logs may be followed at the same time. @throws StatusError */
export async function printLog(call: Call, { namespace, pod, container, query, prefix = '' }: PrintedLog): Promise<void> {
  const client = await call.api();
  const body = await client.body('GET', `/api/v1/namespaces/${namespace}/pods/${pod}/log`, { query: { container, ...query } });
  const decoder = new TextDecoder();
  let rest = '';
  const print = (text: string): void => {
    if (text !== '') call.out(prefix === '' ? text : text.replace(/^(?=[\s\S])/gm, prefix));
  };
  for await (const chunk of readChunks(body)) {
    const text = rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
    const end = text.lastIndexOf('\n') + 1;
    print(text.slice(0, end));
    rest = text.slice(end);
  }
  print(rest + decoder.decode());
}
