import { joinHostPort } from '../../meta/index.ts';
/** The address under which clients in the cluster reach this API server: `--advertise-address` and the port of `--secure-port`. */
export interface ServerAddress {
  readonly ip: string;
  readonly port: number;
}

/** `192.0.2.1:6443`, `[2001:db8::1]:6443`. */
export function hostPort({ ip, port }: ServerAddress): string {
  return joinHostPort(ip, port);
}
