import { joinHostPort } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

/** Variables of the services that a pod sees, `WEB_SERVICE_HOST`, `WEB_PORT_80_TCP`, … Cf. pkg/kubelet/envvars FromServices. */
export function serviceVariables(services: readonly corev1.Service[]): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const { metadata, spec } of services) {
    const { clusterIP = '', ports = [] } = spec;
    const [first] = ports;
    if (clusterIP === '' || clusterIP === 'None' || !first) continue;
    const prefix = upper(metadata.name ?? '');
    variables.set(`${prefix}_SERVICE_HOST`, clusterIP);
    variables.set(`${prefix}_SERVICE_PORT`, String(first.port));
    for (const { name, port } of ports) if (name) variables.set(`${prefix}_SERVICE_PORT_${upper(name)}`, String(port));
    for (const one of ports) addLink(prefix, clusterIP, one, one === first, variables);
  }
  return variables;
}

const upper = (name: string): string => name.toUpperCase().replaceAll('-', '_');

/** The variables of Docker's links. */
function addLink(
  prefix: string,
  address: string,
  { port, protocol = 'TCP' }: corev1.ServicePort,
  isFirst: boolean,
  variables: Map<string, string>,
): void {
  const name = `${prefix}_PORT_${port}_${protocol.toUpperCase()}`;
  const url = `${protocol.toLowerCase()}://${joinHostPort(address, port)}`;
  if (isFirst) variables.set(`${prefix}_PORT`, url);
  variables.set(name, url);
  variables.set(`${name}_PROTO`, protocol.toLowerCase());
  variables.set(`${name}_PORT`, String(port));
  variables.set(`${name}_ADDR`, address);
}
