import {
  type ApiRequest,
  type ApiResponse,
  compareTexts,
  decodePercentEscapes,
  formatTime,
  type MetricFamily,
  metricsText,
  type Product,
  processStart,
} from '../../meta/index.ts';
import { type corev1, corev1Services } from '../../schema/api/index.ts';
import { type NodeContext, podsByNode } from '../node-context.ts';
import { mirrorHashOf } from '../own/mirror-pods.ts';
import type { FindPod } from '../runtime/kubelet.ts';
import { Measurements } from '../usage/measurements.ts';
import { runningContainers } from '../usage/pod-usage.ts';
import { cadvisorMetrics } from './cadvisor-metrics.ts';
import { type ContainerCall, type Containers, containerLogs, refuseCommand, refusePortForward, runCommand } from './container-calls.ts';
import type { CpuCounters } from './cpu-counters.ts';
import { kubeletConfiguration } from './kubelet-configuration.ts';
import { kubeletMetrics, type NodePod } from './kubelet-metrics.ts';
import { nodeLogs } from './node-logs.ts';
import { resourceMetrics } from './resource-metrics.ts';
import { type Headers, nosniff, plain } from './responses.ts';
import { createSummary, type StatsSummary } from './stats-summary.ts';

/** A kubelet whose HTTP server is served. */
export interface ServedKubelet {
  /** The name of the node. */
  readonly node: string;
  readonly find: FindPod;
  /** When the kubelet has started. */
  readonly startedMs: number;
  /** The CPU time of what runs on the node. */
  readonly counters: CpuCounters;
  /** How often each check of `/healthz` has been made. */
  readonly healthChecks: Map<string, number>;
  readonly containers: Containers;
}

/** What a kubelet reads from the cluster. */
export type KubeletContext = Pick<NodeContext, 'client' | 'clock' | 'nodes' | 'pods' | 'product'>;

type Answer = (call: Call) => ApiResponse | Promise<ApiResponse>;

interface Call extends ContainerCall {
  readonly path: string;
  readonly kubelet: ServedKubelet;
  readonly context: KubeletContext;
}

/** A path of a web service of go-restful, which has methods; other handlers answer all methods. */
interface Service {
  readonly methods: readonly string[];
  readonly answer: Answer;
}

/** Names of the checks of `/healthz`. */
const checks = ['ping', 'log', 'syncloop', 'device-plugin'] as const;

const handlers: Readonly<Record<string, Answer>> = {
  '/healthz': healthz,
  ...Object.fromEntries(checks.map((name) => [`/healthz/${name}`, () => plain(200, 'ok')])),
  '/metrics': ({ kubelet, context }) => metrics(kubeletMetrics(kubelet.node, podsOf(kubelet, context), kubelet.startedMs)),
  '/metrics/resource': async (call) => metrics(resourceMetrics(...(await measure(call, true)))),
  '/metrics/cadvisor': async (call) => {
    const [summary, timestampMs] = await measure(call);
    const pods = new Map(podsOf(call.kubelet, call.context).map(({ pod, uid }) => [uid, pod]));
    return metrics(cadvisorMetrics(summary, pods, nodeOf(call), timestampMs));
  },
  '/metrics/slis': ({ kubelet }) => metrics(healthMetrics(kubelet)),
  '/metrics/probes': ({ kubelet }) => metrics([processStart(kubelet.startedMs, '[ALPHA] ')]),
  '/configz': ({ context: { product } }) => json(product.rename(JSON.stringify({ kubeletconfig: kubeletConfiguration })), nosniff),
};

/** By their roots: those with a slash at the end are redirected to it. A star is any segment of the path below, two are any path. */
const services: Readonly<Record<string, Readonly<Record<string, Service>>>> = {
  '/pods': {
    '': { methods: ['GET'], answer: ({ kubelet, context }) => podList(podsOf(kubelet, context).map(withSource(kubelet, context))) },
  },
  '/runningpods/': { '': { methods: ['GET'], answer: ({ kubelet, context }) => podList(podsOf(kubelet, context).flatMap(runtimePod)) } },
  '/stats/': { summary: { methods: ['GET', 'POST'], answer: statsSummary } },
  '/logs/': { '**': { methods: ['GET'], answer: logs } },
  '/containerLogs': { '*/*/*': { methods: ['GET'], answer: containerLogs } },
  '/run': ofContainer(['POST'], runCommand),
  '/exec': ofContainer(['GET', 'POST'], (call) => refuseCommand(call, 'exec')),
  '/attach': ofContainer(['GET', 'POST'], (call) => refuseCommand(call, 'attach')),
  '/portForward': {
    '*/*': { methods: ['GET', 'POST'], answer: refusePortForward },
    '*/*/*': { methods: ['GET', 'POST'], answer: refusePortForward },
  },
};

function ofContainer(methods: readonly string[], answer: Answer): Readonly<Record<string, Service>> {
  return { '*/*/*': { methods, answer }, '*/*/*/*': { methods, answer } };
}

/** The HTTP server of a kubelet. Cf. pkg/kubelet/server. */
export async function serveKubelet(
  { method, target, signal }: Pick<ApiRequest, 'method' | 'target' | 'signal'>,
  kubelet: ServedKubelet,
  context: KubeletContext,
): Promise<ApiResponse> {
  const [path = '', search = ''] = target.split('?');
  const [query, { containers }] = [new URLSearchParams(search), kubelet];
  const handler = Object.hasOwn(handlers, path) ? handlers[path] : undefined;
  if (handler) return handler({ kubelet, context, containers, path, query, signal, segments: [] });
  for (const [root, paths] of Object.entries(services)) {
    const bare = root.replace(/\/$/, '');
    if (path !== bare && !path.startsWith(`${bare}/`)) continue;
    if (path === bare && root !== bare) return redirect(root);
    const segments = path
      .slice(bare.length + 1)
      .replace(/\/$/, '')
      .split('/')
      .map(decodePercentEscapes);
    const service = serviceOf(paths, segments);
    if (!service) return plain(404, '404: Page Not Found');
    if (service.methods.includes(method)) return service.answer({ kubelet, context, containers, path, query, signal, segments });
    return plain(405, '405: Method Not Allowed', [['allow', service.methods.join(', ')]]);
  }
  return plain(404, '404 page not found\n', nosniff);
}

function serviceOf(paths: Readonly<Record<string, Service>>, segments: readonly string[]): Service | undefined {
  const found = Object.entries(paths).find(([pattern]) => {
    if (pattern === '**') return true;
    const wanted = pattern.split('/');
    return wanted.length === segments.length && wanted.every((one, index) => one === segments[index] || (one === '*' && segments[index]));
  });
  return found?.[1];
}

const json = (body: string, headers: Headers = []): ApiResponse => ({
  status: 200,
  headers: [['content-type', 'application/json'], ...headers],
  body,
});

const redirect = (location: string): ApiResponse => ({
  status: 301,
  headers: [
    ['content-type', 'text/html; charset=utf-8'],
    ['location', location],
  ],
  body: `<a href="${location}">Moved Permanently</a>.\n\n`,
});

const metrics = (families: readonly MetricFamily[]): ApiResponse => ({
  status: 200,
  headers: [['content-type', 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores']],
  body: metricsText(families),
});

/** Cf. k8s.io/apiserver healthz handleRootHealth. All checks pass. */
function healthz({ kubelet: { healthChecks }, query }: Call): ApiResponse {
  const excluded = new Set(query.getAll('exclude'));
  for (const name of checks) if (!excluded.has(name)) healthChecks.set(name, (healthChecks.get(name) ?? 0) + 1);
  if (!query.has('verbose')) return plain(200, 'ok', nosniff);
  const lines = checks.map((name) => (excluded.delete(name) ? `[+]${name} excluded: ok` : `[+]${name} ok`));
  const unknown = [...excluded].sort().map((name) => JSON.stringify(name));
  if (unknown.length > 0) lines.push(`warn: some health checks cannot be excluded: no matches for ${unknown.join(',')}`);
  return plain(200, [...lines, 'healthz check passed', ''].join('\n'), nosniff);
}

/** Cf. component-base metrics/prometheus/slis. */
function healthMetrics({ healthChecks, startedMs }: ServedKubelet): readonly MetricFamily[] {
  const samples = [...healthChecks].map(([name, count]) => ({ labels: { name, type: 'healthz' }, value: count }));
  return [
    processStart(startedMs, '[ALPHA] '),
    {
      name: 'kubernetes_healthcheck',
      type: 'gauge',
      help: '[STABLE] This metric records the result of a single healthcheck.',
      samples: samples.map((sample) => ({ ...sample, value: 1 })),
    },
    {
      name: 'kubernetes_healthchecks_total',
      type: 'counter',
      help: '[STABLE] This metric records the results of all healthcheck.',
      samples: samples.map(({ labels, value }) => ({ labels: { ...labels, status: 'success' }, value })),
    },
  ];
}

/** Cf. encodePods: an empty list has no items. */
const podList = (items: readonly Partial<corev1.Pod>[]): ApiResponse =>
  json(`${JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items: items.length > 0 ? items : null })}\n`);

interface PodOfNode extends NodePod {
  /** That of a static pod is the hash of its manifest. */
  readonly uid: string;
}

function podsOf({ node }: ServedKubelet, { pods, product }: KubeletContext): readonly PodOfNode[] {
  return pods.store.byIndex(podsByNode, node).map((pod) => {
    const hash = mirrorHashOf(pod, product);
    return { pod, isStatic: hash !== undefined, uid: hash ?? pod.metadata.uid ?? '' };
  });
}

/** A pod with the annotations about its source. A static pod is not its mirror pod. Cf. pkg/kubelet/config. */
const withSource =
  ({ find, startedMs }: ServedKubelet, { product }: { readonly product: Product }) =>
  ({ pod, isStatic, uid }: PodOfNode): Partial<corev1.Pod> => {
    const { namespace = '', name = '', annotations } = pod.metadata;
    const mirror = product.rename('kubernetes.io/config.mirror');
    const own = Object.entries(annotations ?? {}).filter(([key]) => key !== mirror);
    const seen = formatTime(find({ namespace, name, uid: pod.metadata.uid ?? '' })?.state.startedMs ?? startedMs);
    const source = {
      [product.rename('kubernetes.io/config.seen')]: seen,
      [product.rename('kubernetes.io/config.source')]: isStatic ? 'file' : 'api',
    };
    const sorted = Object.entries({ ...source, ...Object.fromEntries(own) }).sort(([a], [b]) => compareTexts(a, b));
    const metadata = { ...pod.metadata, uid, annotations: Object.fromEntries(sorted) };
    return { metadata, spec: pod.spec, status: pod.status };
  };

/** What a container runtime knows of a pod. Cf. pkg/kubelet/container Pod.ToAPIPod. */
function runtimePod({ pod, uid }: PodOfNode): readonly Partial<corev1.Pod>[] {
  const containers = runningContainers(pod).map(({ name, image }) => ({ name, image, resources: {} }));
  const { name, namespace } = pod.metadata;
  return containers.length === 0
    ? []
    : [{ metadata: { name, namespace, uid }, spec: { containers }, status: {} } as unknown as Partial<corev1.Pod>];
}

function logs({ kubelet, context, containers, path, signal }: Call): Promise<ApiResponse> {
  return nodeLogs({ containers, pods: podsOf(kubelet, context), path: decodePercentEscapes(path.slice('/logs/'.length)), signal });
}

async function statsSummary(call: Call): Promise<ApiResponse> {
  const only = call.query.getAll('only_cpu_and_memory');
  const [summary] = await measure(call, only.length === 1 && only[0] === 'true');
  // As go-restful writes objects.
  return json(JSON.stringify(summary, undefined, 1));
}

function nodeOf({ kubelet, context }: Call): corev1.Node {
  const node = context.nodes.store.get(kubelet.node);
  if (!node) throw new Error(`node ${JSON.stringify(kubelet.node)} not found`);
  return node;
}

/** The latest measurement with its time. */
async function measure(call: Call, onlyCpuAndMemory = false): Promise<[StatsSummary, number]> {
  const { kubelet, context } = call;
  const { client, clock, pods, product } = context;
  const { items: services } = await client.resource(corev1Services).list();
  const node = nodeOf(call);
  const measurements = new Measurements({ nodes: [node], pods: pods.store.list(), services }, product, clock.nowMs());
  const { startedMs, counters } = kubelet;
  const options = { node, pods: podsOf(kubelet, context), measurements, counters, startedMs, onlyCpuAndMemory };
  return [createSummary(options), measurements.timeOf(kubelet.node)];
}
