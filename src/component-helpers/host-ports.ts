import type { corev1 } from '../schema/api/index.ts';
import { runningContainersOf } from './sidecars.ts';

/** A port of a node that a container uses. */
export interface HostPort {
  readonly protocol: string;
  readonly ip: string;
  readonly port: number;
}

/** The address of a port on all addresses of its node. */
export const allAddresses = '0.0.0.0';

/** The host ports of the containers that run as long as the pod. */
export function hostPortsOf({ spec }: Pick<corev1.Pod, 'spec'>): readonly HostPort[] {
  return runningContainersOf(spec).flatMap(({ ports = [] }) =>
    ports
      .filter(({ hostPort = 0 }) => hostPort > 0)
      .map(({ hostPort = 0, protocol, hostIP }) => ({ protocol: protocol || 'TCP', ip: hostIP || allAddresses, port: hostPort })),
  );
}

/** Cf. HostPortInfo.CheckConflict. */
export function conflictsWith(a: HostPort, b: HostPort): boolean {
  const sameAddress = a.ip === b.ip || a.ip === allAddresses || b.ip === allAddresses;
  return sameAddress && a.protocol === b.protocol && a.port === b.port;
}
