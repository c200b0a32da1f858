import type { JsonObject } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { itemsOf, nameOf, namespaceOf, textsOf } from '../resources/info.ts';
import type { DescribeInput, Describer } from './describers.ts';
import { type Report, writeAnnotations, writeConditions, writeHead, writeLabels } from './report.ts';

const configMap: Describer = ({ report, object }) => {
  writeHead(report, object);
  report.write(0, '\nData\n====\n');
  const data = textsOf(object['data']);
  for (const key of Object.keys(data).sort()) report.write(0, `${key}:\n----\n${data[key]}\n\n`);
  report.write(0, '\nBinaryData\n====\n');
  const binary = textsOf(object['binaryData']);
  for (const key of Object.keys(binary).sort()) report.write(0, `${key}: ${bytesIn(binary[key] ?? '')} bytes\n`);
  report.write(0, '\n');
};

function bytesIn(base64: string): number {
  return Math.floor((base64.length * 3) / 4) - (/(?<!=)=*$/.exec(base64)?.[0].length ?? 0);
}

type Secret = Decoded<corev1.Secret>;

const tokenType = 'kubernetes.io/service-account-token';

const secret: Describer = ({ report, object }) => {
  writeHead(report, object);
  const { type = '', data = {} }: Secret = object;
  report.write(0, `\nType:\t${type}\n`);
  report.write(0, '\nData\n====\n');
  for (const key of Object.keys(data).sort()) {
    const token = key === 'token' && type === tokenType;
    report.line(0, `${key}:`, token ? atob(data[key] ?? '') : `${bytesIn(data[key] ?? '')} bytes`);
  }
  return false;
};

const serviceAccount: Describer = async ({ call, info, object, report }) => {
  writeHead(report, object);
  const client = await call.api();
  const secrets = await client.read('GET', `/api/v1/namespaces/${info.namespace}/secrets`).then(itemsOf, () => undefined);
  const { metadata, imagePullSecrets, secrets: mountable }: Decoded<corev1.ServiceAccount> = object;
  const tokens = (secrets ?? []).filter((one: Secret) => {
    const { annotations = {} } = one.metadata ?? {};
    return (
      one.type === tokenType &&
      annotations['kubernetes.io/service-account.name'] === metadata?.name &&
      annotations['kubernetes.io/service-account.uid'] === metadata?.uid
    );
  });
  const known = new Set(secrets?.map(nameOf));
  const namesOf = (list: typeof imagePullSecrets): string[] => (list ?? []).map(({ name = '' }) => name);
  const sections = [
    ['Image pull secrets:', namesOf(imagePullSecrets)],
    ['Mountable secrets: ', namesOf(mountable)],
    ['Tokens:            ', tokens.map(nameOf)],
  ] as const;
  for (const [title, list] of sections) {
    if (list.length === 0) report.line(0, title, '<none>');
    for (const [index, one] of list.entries())
      report.line(0, index === 0 ? title : ' '.repeat(19), secrets && !known.has(one) ? `${one} (not found)` : one);
  }
};

type Quota = Decoded<corev1.ResourceQuota>;
type Range = Decoded<corev1.LimitRange>;

const scopeTexts: Readonly<Record<string, string>> = {
  Terminating:
    'Matches all pods that have an active deadline. These pods have a limited lifespan on a node before being actively terminated by the system.',
  NotTerminating:
    'Matches all pods that do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.',
  BestEffort: 'Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.',
  NotBestEffort:
    'Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.',
};

function writeQuota(report: Report, { spec, status }: Quota, level: number, rule: string): void {
  const scopes = (spec?.scopes ?? []).toSorted();
  if (scopes.length > 0) report.line(level, 'Scopes:', scopes.join(', '));
  for (const scope of scopes) if (scopeTexts[scope] !== undefined) report.line(level, `${level === 0 ? ' ' : ''}* ${scopeTexts[scope]}`);
  report.line(level, 'Resource', 'Used', 'Hard');
  report.line(level, '--------', rule, rule);
  const { hard = {}, used = {} } = status ?? {};
  for (const name of Object.keys(hard).sort()) report.line(level, name, used[name] ?? '0', hard[name] ?? '');
}

const resourceQuota: Describer = ({ report, object }) => {
  report.line(0, 'Name:', nameOf(object));
  report.line(0, 'Namespace:', namespaceOf(object));
  writeQuota(report, object, 0, '----');
  return false;
};

const limitHeads = ['Type', 'Resource', 'Min', 'Max', 'Default Request', 'Default Limit', 'Max Limit/Request Ratio'];
const limitRules = ['----', '--------', '---', '---', '---------------', '-------------', '-----------------------'];

function writeLimits(report: Report, { spec }: Range, margin: string): void {
  for (const item of spec?.limits ?? []) {
    const { type = '', min = {}, max = {}, defaultRequest = {}, default: defaultLimit = {}, maxLimitRequestRatio = {} } = item;
    const parts = [min, max, defaultRequest, defaultLimit, maxLimitRequestRatio];
    const names = new Set(parts.flatMap((part) => Object.keys(part)).sort((left, right) => rank(max, left) - rank(max, right)));
    for (const name of names) report.line(0, `${margin}${type}`, name, ...parts.map((part) => part[name] ?? '-'));
  }
}

/** Resources with a maximum come before those with only a ratio, as a Go map often iterates. */
function rank(max: object, name: string): number {
  return Object.hasOwn(max, name) ? 0 : 1;
}

const limitRange: Describer = ({ report, object }) => {
  report.line(0, 'Name:', nameOf(object));
  report.line(0, 'Namespace:', namespaceOf(object));
  report.line(0, ...limitHeads);
  report.line(0, ...limitRules);
  writeLimits(report, object, '');
  return false;
};

const namespace: Describer = async (subject) => {
  const { report, object } = subject;
  const { metadata = {}, status }: Decoded<corev1.Namespace> = object;
  const { labels, annotations, name = '' } = metadata;
  report.line(0, 'Name:', name);
  writeLabels(report, 'Labels', labels);
  writeAnnotations(report, 'Annotations', annotations);
  report.line(0, 'Status:', status?.phase);
  writeConditions(report, status?.conditions ?? []);
  await writeNamespaceLimits(subject, name);
  return false;
};

async function writeNamespaceLimits({ call, report }: DescribeInput, name: string): Promise<void> {
  const client = await call.api();
  const list = async (resource: string): Promise<readonly JsonObject[]> =>
    itemsOf(await client.read('GET', `/api/v1/namespaces/${name}/${resource}`, { query: { limit: '500' } }));
  const quotas = await list('resourcequotas');
  report.write(0, '\n');
  report.line(0, quotas.length === 0 ? 'No resource quota.' : 'Resource Quotas');
  for (const quota of quotas) {
    report.line(1, 'Name:', nameOf(quota));
    writeQuota(report, quota, 1, '---');
  }
  const ranges = await list('limitranges');
  report.write(0, '\n');
  if (ranges.length === 0) return report.line(0, 'No LimitRange resource.');
  report.line(0, 'Resource Limits');
  report.line(0, ...limitHeads.map((head, index) => (index === 0 ? ` ${head}` : head)));
  report.line(0, ...limitRules.map((rule, index) => (index === 0 ? ` ${rule}` : rule)));
  for (const range of ranges) writeLimits(report, range, ' ');
}

export const basics: Readonly<Record<string, Describer>> = {
  '/ConfigMap': configMap,
  '/Secret': secret,
  '/ServiceAccount': serviceAccount,
  '/ResourceQuota': resourceQuota,
  '/LimitRange': limitRange,
  '/Namespace': namespace,
};
