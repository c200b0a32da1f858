import { nameOf } from '../../../kubectl/index.ts';
import { type PolicyDecision, type PolicyState, policyDecisions } from '../../../network/index.ts';
import type { corev1, networkingv1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { type Pod, portsOf, sortedByName } from './containers.ts';

/** The objects of a namespace that decide about connections. */
export interface NamespaceObjects {
  readonly pods: readonly Pod[];
  readonly services: readonly Decoded<corev1.Service>[];
  readonly policies: readonly networkingv1.NetworkPolicy[];
  readonly namespaceLabels: Readonly<Record<string, string>>;
}

/** An address that pods connect to. */
export interface ConnectionTarget {
  /** `pod/web:80`. */
  readonly name: string;
  readonly address: string;
  readonly port: number;
  /** The addresses behind it, for the policies: those of the pods of a Service. */
  readonly backends: readonly { readonly address: string; readonly port: number }[];
}

/** The pods that run, in the order of their names. */
export function runningPods({ pods }: NamespaceObjects): readonly Pod[] {
  return sortedByName(pods.filter((pod) => pod.status?.phase === 'Running' && addressOf(pod) !== ''));
}

const addressOf = ({ status }: Pod): string => status?.podIP ?? '';

/** The declared TCP ports of Services, and of the pods that run. */
export function targetsOf(objects: NamespaceObjects): readonly ConnectionTarget[] {
  const pods = runningPods(objects);
  const ofServices = objects.services.flatMap((service): readonly ConnectionTarget[] => {
    const { clusterIP = '', selector, ports = [] } = service.spec ?? {};
    if (!/[.:]/.test(clusterIP)) return [];
    const behind = selector === undefined ? [] : pods.filter((pod) => isSelected(pod, selector));
    return ports.flatMap(({ port, targetPort = port, protocol = 'TCP' }): readonly ConnectionTarget[] => {
      if (protocol !== 'TCP') return [];
      const backends = behind.map((pod) => ({ address: addressOf(pod), port: portNumber(pod, targetPort) }));
      return [{ name: `svc/${nameOf(service)}:${port}`, address: clusterIP, port: Number(port), backends }];
    });
  });
  const ofPods = pods.flatMap((pod) =>
    portsOf(pod).map((text): ConnectionTarget => {
      const [address, port] = [addressOf(pod), Number(text)];
      return { name: `pod/${nameOf(pod)}:${port}`, address, port, backends: [{ address, port }] };
    }),
  );
  return [...ofServices, ...ofPods];
}

function isSelected({ metadata }: Pod, selector: Decoded<Readonly<Record<string, string>>>): boolean {
  return Object.entries(selector).every(([key, value]) => metadata?.labels?.[key] === value);
}

/** The number of a port, which may be a name of a container's port. */
function portNumber({ spec }: Pod, port: number | string | undefined): number {
  if (typeof port === 'number') return port;
  const ports = spec?.containers?.flatMap((container) => container.ports ?? []) ?? [];
  return ports.find(({ name }) => name === port)?.containerPort ?? 0;
}

/** How network policies decide about a connection. */
export interface PolicyExplanation {
  readonly isAllowed: boolean;
  /** The names of those that allow it, or that deny it. Empty: no policy selects the pods. */
  readonly policies: readonly string[];
}

/** A Service is reached when one of its pods is. */
export function explainConnection(objects: NamespaceObjects, source: Pod, { backends }: ConnectionTarget): PolicyExplanation {
  const state = policyStateOf(objects);
  const from = addressOf(source);
  const byBackend = backends.map(({ address: to, port }) => policyDecisions(state, { from, to, port, protocol: 'TCP' }));
  const isAllowed = byBackend.length === 0 || byBackend.some((decisions) => decisions.every((one) => one.isAllowed));
  const deciding = byBackend.flat().filter((one) => one.isAllowed === isAllowed);
  return { isAllowed, policies: [...new Set(deciding.flatMap(policyNames))].sort() };
}

const policyNames = ({ policies }: PolicyDecision): readonly string[] => policies.map(({ metadata }) => String(metadata.name));

function policyStateOf({ pods, policies, namespaceLabels }: NamespaceObjects): PolicyState {
  const isOn = ({ spec, status }: Pod, address: string): boolean =>
    (status?.podIPs?.some(({ ip }) => ip === address) ?? false) && spec?.hostNetwork !== true;
  return {
    policiesOf: () => policies,
    namespaceLabels: () => namespaceLabels,
    podOf: (address) => pods.find((pod) => isOn(pod, address)) as corev1.Pod | undefined,
    nodeOf: (address) => {
      const pod = pods.find(({ status }) => status?.hostIP === address);
      return pod && (pod.spec?.nodeName ?? '');
    },
  };
}
