import type { Clock } from '../../env/index.ts';
import { type ServerResponse, serveHttp } from '../../http/index.ts';
import { formatTime } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { ClusterState } from '../cluster-state.ts';
import type { Connection } from '../network-namespace.ts';

interface ProxyServerOptions {
  readonly state: ClusterState;
  readonly clock: Pick<Clock, 'nowMs'>;
}

type Answer = (path: string) => ServerResponse;

/** The ports of kube-proxy: its health check on all addresses, its status on the loopback address. */
const [healthPort, statusPort] = [10_256, 10_249];

/** What serves a port of kube-proxy on a node, or a health check of a Service; undefined: nothing. Cf. pkg/proxy/healthcheck. */
export function proxyServerAt(
  port: number,
  node: string,
  isLoopback: boolean,
  options: ProxyServerOptions,
): ((connection: Connection) => void) | undefined {
  const answer = port === healthPort ? healthOf(options) : port === statusPort && isLoopback ? status : serviceHealth(port, node, options);
  // A connection that breaks has no one to report it to.
  return answer && ((connection) => void serveHttp(connection, ({ target }) => Promise.resolve(answer(pathOf(target)))).catch(() => {}));
}

const pathOf = (target: string): string => target.split('?')[0] ?? '';

const text = (body: string, code = 200): ServerResponse => ({
  status: code,
  headers: [
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['X-Content-Type-Options', 'nosniff'],
  ],
  body,
});

const json = (body: string, code: number, headers: ServerResponse['headers'] = []): ServerResponse => ({
  status: code,
  headers: [['Content-Type', 'application/json'], ['X-Content-Type-Options', 'nosniff'], ...headers],
  body,
});

const notFound = text('404 page not found\n', 404);

const healthOf =
  ({ clock }: ProxyServerOptions): Answer =>
  (path) => {
    const time = formatTime(clock.nowMs());
    return path === '/healthz' || path === '/livez'
      ? json(`{"lastUpdated": "${time}","currentTime": "${time}", "nodeEligible": true}`, 200)
      : notFound;
  };

const status: Answer = (path) => (path === '/healthz' ? text('ok') : path === '/proxyMode' ? text('iptables') : notFound);

/** The health check of a Service for load balancers: whether the node has endpoints that are ready. */
function serviceHealth(port: number, node: string, { state }: ProxyServerOptions): Answer | undefined {
  const isChecked = ({ spec }: corev1.Service): boolean => spec.healthCheckNodePort === port && spec.externalTrafficPolicy === 'Local';
  const service = state.services().find((one) => isChecked(one) && state.isRouted(one));
  if (!service) return undefined;
  const { namespace = '', name = '' } = service.metadata;
  return () => {
    const endpoints = state.slicesOf(namespace, name).flatMap((slice) => slice.endpoints ?? []);
    const count = endpoints.filter(({ conditions, nodeName }) => nodeName === node && conditions.ready !== false).length;
    const body = { service: { namespace, name }, localEndpoints: count, serviceProxyHealthy: true };
    const weight = [['X-Load-Balancing-Endpoint-Weight', String(count)]] as const;
    return json(JSON.stringify(body, undefined, '\t'), count > 0 ? 200 : 503, weight);
  };
}
