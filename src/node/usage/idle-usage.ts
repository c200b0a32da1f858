import { type ImageRecord, unknownImage } from '../images/image-record.ts';

/** CPU in thousandths and memory in MiB of well-known programs that do nothing. */
const idle: Readonly<Record<string, readonly [cpuMilli: number, memoryMi: number]>> = {
  nginx: [0.2, 4],
  httpd: [1, 7],
  'nginx-unprivileged': [0.2, 4],
  caddy: [1, 14],
  redis: [2, 4],
  memcached: [1, 2],
  mysql: [7, 380],
  mariadb: [3, 95],
  postgres: [2, 38],
  mongo: [12, 170],
  rabbitmq: [8, 140],
  etcd: [20, 32],
  registry: [1, 9],
  traefik: [1, 25],
  pause: [0, 0.4],
  'e2e-test-images/agnhost': [1, 9],
  'polinux/stress': [0, 0.5],
  python: [1, 10],
  node: [1, 34],
};

const shell = [0.1, 0.6] as const;
const server = [1, 16] as const;

/** The usage of a program that does nothing, by its image. */
export function idleUsage(image: ImageRecord): readonly [cpuMilli: number, memoryMi: number] {
  const isServer = image === unknownImage || image.entrypoint !== undefined;
  return idle[image.repository] ?? (isServer ? server : shell);
}
