import { nameOf } from '../../../kubectl/index.ts';
import { type JsonObject, objectsAt, recordAt, textAt } from '../../../meta/index.ts';
import { type PolicyDecision, type PolicyState, policyDecisions } from '../../../network/index.ts';
import type { corev1, networkingv1 } from '../../../schema/api/index.ts';
import { portsOf, sortedByName } from './containers.ts';

/** The objects of a namespace that decide about connections. */
export interface NamespaceObjects {
  readonly pods: readonly JsonObject[];
  readonly services: readonly JsonObject[];
  readonly policies: readonly JsonObject[];
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
export function runningPods({ pods }: NamespaceObjects): readonly JsonObject[] {
  return sortedByName(pods.filter((pod) => recordAt(pod, 'status')['phase'] === 'Running' && addressOf(pod) !== ''));
}

const addressOf = (pod: JsonObject): string => textAt(recordAt(pod, 'status'), 'podIP');

/** The declared TCP ports of Services, and of the pods that run. */
export function targetsOf(objects: NamespaceObjects): readonly ConnectionTarget[] {
  const pods = runningPods(objects);
  const ofServices = objects.services.flatMap((service): readonly ConnectionTarget[] => {
    const { clusterIP, selector } = recordAt(service, 'spec');
    if (typeof clusterIP !== 'string' || !/[.:]/.test(clusterIP)) return [];
    const behind = selector === undefined ? [] : pods.filter((pod) => isSelected(pod, recordAt(recordAt(service, 'spec'), 'selector')));
    return objectsAt(recordAt(service, 'spec'), 'ports').flatMap(
      ({ port, targetPort = port, protocol = 'TCP' }): readonly ConnectionTarget[] => {
        if (protocol !== 'TCP') return [];
        const backends = behind.map((pod) => ({ address: addressOf(pod), port: portNumber(pod, targetPort) }));
        return [{ name: `svc/${nameOf(service)}:${port}`, address: clusterIP, port: Number(port), backends }];
      },
    );
  });
  const ofPods = pods.flatMap((pod) =>
    portsOf(pod).map((text): ConnectionTarget => {
      const [address, port] = [addressOf(pod), Number(text)];
      return { name: `pod/${nameOf(pod)}:${port}`, address, port, backends: [{ address, port }] };
    }),
  );
  return [...ofServices, ...ofPods];
}

function isSelected(pod: JsonObject, selector: JsonObject): boolean {
  const labels = recordAt(recordAt(pod, 'metadata'), 'labels');
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}

/** The number of a port, which may be a name of a container's port. */
function portNumber(pod: JsonObject, port: unknown): number {
  if (typeof port === 'number') return port;
  const ports = objectsAt(recordAt(pod, 'spec'), 'containers').flatMap((container) => objectsAt(container, 'ports'));
  return Number(ports.find(({ name }) => name === port)?.['containerPort'] ?? 0);
}

/** How network policies decide about a connection. */
export interface PolicyExplanation {
  readonly isAllowed: boolean;
  /** The names of those that allow it, or that deny it. Empty: no policy selects the pods. */
  readonly policies: readonly string[];
}

/** A Service is reached when one of its pods is. */
export function explainConnection(objects: NamespaceObjects, source: JsonObject, { backends }: ConnectionTarget): PolicyExplanation {
  const state = policyStateOf(objects);
  const from = addressOf(source);
  const byBackend = backends.map(({ address: to, port }) => policyDecisions(state, { from, to, port, protocol: 'TCP' }));
  const isAllowed = byBackend.length === 0 || byBackend.some((decisions) => decisions.every((one) => one.isAllowed));
  const deciding = byBackend.flat().filter((one) => one.isAllowed === isAllowed);
  return { isAllowed, policies: [...new Set(deciding.flatMap(policyNames))].sort() };
}

const policyNames = ({ policies }: PolicyDecision): readonly string[] => policies.map(({ metadata }) => String(metadata.name));

function policyStateOf({ pods, policies, namespaceLabels }: NamespaceObjects): PolicyState {
  const isOn = (pod: JsonObject, address: string): boolean =>
    objectsAt(recordAt(pod, 'status'), 'podIPs').some(({ ip }) => ip === address) && recordAt(pod, 'spec')['hostNetwork'] !== true;
  return {
    policiesOf: () => policies as unknown as readonly networkingv1.NetworkPolicy[],
    namespaceLabels: () => namespaceLabels,
    podOf: (address) => pods.find((pod) => isOn(pod, address)) as unknown as corev1.Pod | undefined,
    nodeOf: (address) => {
      const pod = pods.find((one) => recordAt(one, 'status')['hostIP'] === address);
      return pod && textAt(recordAt(pod, 'spec'), 'nodeName');
    },
  };
}
