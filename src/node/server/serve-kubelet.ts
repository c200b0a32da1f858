import {
  type ApiRequest,
  type ApiResponse,
  compareTexts,
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
import type { CpuCounters } from './cpu-counters.ts';
import { kubeletConfiguration } from './kubelet-configuration.ts';
import { kubeletMetrics, type NodePod } from './kubelet-metrics.ts';
import { resourceMetrics } from './resource-metrics.ts';
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
}

/** What a kubelet reads from the cluster. */
export type KubeletContext = Pick<NodeContext, 'client' | 'clock' | 'nodes' | 'pods' | 'product'>;

type Answer = (call: Call) => ApiResponse | Promise<ApiResponse>;

interface Call {
  readonly kubelet: ServedKubelet;
  readonly context: KubeletContext;
  readonly query: URLSearchParams;
}

/** A path of a web service of go-restful, which has methods; other handlers answer all methods. */
interface Service {
  readonly methods: readonly string[];
  readonly answer: Answer;
}

/** Names of the checks of `/healthz`. */
const checks = ['ping', 'log', 'syncloop', 'device-plugin'] as const;

const handlers: Readonly<Record<string, Answer>> = {
  '/healthz': ({ query }) => healthz(query),
  ...Object.fromEntries(checks.map((name) => [`/healthz/${name}`, () => plain(200, 'ok')])),
  '/metrics': ({ kubelet, context }) => metrics(kubeletMetrics(kubelet.node, podsOf(kubelet, context), kubelet.startedMs)),
  '/metrics/resource': async (call) => metrics(resourceMetrics(...(await measure(call, true)))),
  '/metrics/cadvisor': async (call) => {
    const [summary, timestampMs] = await measure(call);
    const pods = new Map(podsOf(call.kubelet, call.context).map(({ pod, uid }) => [uid, pod]));
    return metrics(cadvisorMetrics(summary, pods, nodeOf(call), timestampMs));
  },
  '/metrics/probes': ({ kubelet }) => metrics([processStart(kubelet.startedMs, '[ALPHA] ')]),
  '/configz': ({ context: { product } }) =>
    json(product.rename(JSON.stringify({ kubeletconfig: kubeletConfiguration })), [['x-content-type-options', 'nosniff']]),
};

/** By their roots: those with a slash at the end are redirected to it. */
const services: Readonly<Record<string, Readonly<Record<string, Service>>>> = {
  '/pods': {
    '': { methods: ['GET'], answer: ({ kubelet, context }) => podList(podsOf(kubelet, context).map(withSource(kubelet, context))) },
  },
  '/runningpods/': { '': { methods: ['GET'], answer: ({ kubelet, context }) => podList(podsOf(kubelet, context).flatMap(runtimePod)) } },
  '/stats/': { summary: { methods: ['GET', 'POST'], answer: statsSummary } },
};

/** The HTTP server of a kubelet. Cf. pkg/kubelet/server. */
export async function serveKubelet({ method, target }: ApiRequest, kubelet: ServedKubelet, context: KubeletContext): Promise<ApiResponse> {
  const [path = '', query = ''] = target.split('?');
  const call: Call = { kubelet, context, query: new URLSearchParams(query) };
  const handler = Object.hasOwn(handlers, path) ? handlers[path] : undefined;
  if (handler) return handler(call);
  for (const [root, paths] of Object.entries(services)) {
    const bare = root.replace(/\/$/, '');
    if (path !== bare && !path.startsWith(`${bare}/`)) continue;
    if (path === bare && root !== bare) return redirect(root);
    const rest = path.slice(bare.length + 1).replace(/\/$/, '');
    const service = Object.hasOwn(paths, rest) ? paths[rest] : undefined;
    if (!service) return plain(404, '404: Page Not Found');
    if (service.methods.includes(method)) return service.answer(call);
    return plain(405, '405: Method Not Allowed', [['allow', service.methods.join(', ')]]);
  }
  return plain(404, '404 page not found\n', [['x-content-type-options', 'nosniff']]);
}

type Headers = ApiResponse['headers'];

const plain = (status: number, body: string, headers: Headers = []): ApiResponse => ({
  status,
  headers: [['content-type', 'text/plain; charset=utf-8'], ...headers],
  body,
});

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
function healthz(query: URLSearchParams): ApiResponse {
  const nosniff: Headers = [['x-content-type-options', 'nosniff']];
  if (!query.has('verbose')) return plain(200, 'ok', nosniff);
  const excluded = new Set(query.getAll('exclude'));
  const lines = checks.map((name) => (excluded.delete(name) ? `[+]${name} excluded: ok` : `[+]${name} ok`));
  const unknown = [...excluded].sort().map((name) => JSON.stringify(name));
  if (unknown.length > 0) lines.push(`warn: some health checks cannot be excluded: no matches for ${unknown.join(',')}`);
  return plain(200, [...lines, 'healthz check passed', ''].join('\n'), nosniff);
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
