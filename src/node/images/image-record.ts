/** What the simulation knows of an image. */
export interface ImageRecord {
  /** The end of the repository, in whole components: `nginx`, `e2e-test-images/agnhost`. */
  readonly repository: string;
  readonly sizeBytes: number;
  /** The program that runs when the container names no command. */
  readonly entrypoint?: readonly string[];
  /** The arguments when the container has none. */
  readonly command?: readonly string[];
  /** TCP ports on which the default program listens; absent: every port answers. */
  readonly ports?: readonly number[];
  /** Paths that the default program serves with 200; absent: every path. */
  readonly paths?: readonly string[];
}

const mega = 1024 * 1024;

const server = (repository: string, megabytes: number, ports: readonly number[], program: string = repository): ImageRecord => ({
  repository,
  sizeBytes: megabytes * mega,
  entrypoint: [program],
  ports,
});

const web = (repository: string, megabytes: number, port: number, program: string): ImageRecord => ({
  ...server(repository, megabytes, [port], program),
  paths: ['/', '/index.html'],
});

/** Images whose default program is a shell or an interpreter: it ends at once without a terminal. */
const shell = (repository: string, megabytes: number, program = 'sh'): ImageRecord => ({
  repository,
  sizeBytes: megabytes * mega,
  command: [program],
});

/** Well-known images; all others run forever, and every port of theirs answers. */
const imageRecords: readonly ImageRecord[] = [
  web('nginx', 68, 80, 'nginx'),
  web('httpd', 56, 80, 'httpd-foreground'),
  web('nginx-unprivileged', 68, 8080, 'nginx'),
  server('caddy', 20, [80, 443, 2019]),
  server('redis', 49, [6379], 'redis-server'),
  server('memcached', 32, [11211]),
  server('mysql', 230, [3306, 33_060], 'mysqld'),
  server('mariadb', 118, [3306], 'mariadbd'),
  server('postgres', 155, [5432]),
  server('mongo', 270, [27_017], 'mongod'),
  server('rabbitmq', 110, [5672, 15_672], 'rabbitmq-server'),
  server('etcd', 59, [2379, 2380]),
  server('registry', 10, [5000]),
  server('traefik', 50, [80, 443]),
  server('whoami', 3, [80]),
  server('hello-app', 6, [8080]),
  { ...server('pause', 0.3, []), entrypoint: ['/pause'] },
  { repository: 'e2e-test-images/agnhost', sizeBytes: 52 * mega, entrypoint: ['/agnhost'], command: ['pause'] },
  { repository: 'hello-world', sizeBytes: 0.01 * mega, command: ['/hello'] },
  { repository: 'perl', sizeBytes: 336 * mega, command: ['perl', '-de0'] },
  { repository: 'polinux/stress', sizeBytes: 4 * mega, command: ['stress', '--help'] },
  shell('busybox', 2),
  shell('alpine', 3.5),
  shell('bash', 6, 'bash'),
  shell('debian', 47, 'bash'),
  shell('ubuntu', 29, 'bash'),
  shell('centos', 80, 'bash'),
  shell('fedora', 64, 'bash'),
  shell('amazonlinux', 55, 'bash'),
  shell('python', 360, 'python3'),
  shell('node', 390, 'node'),
  shell('curlimages/curl', 7, 'curl'),
];

/** The record of images that are not in the catalog. */
export const unknownImage: ImageRecord = { repository: '', sizeBytes: 40 * mega, entrypoint: ['/server'] };

/** Whether the catalog has a record of an image. */
export const isInImageCatalog = (repository: string): boolean => recordOf(repository) !== unknownImage;

/** The record of an image, by the longest end of its repository. */
export function recordOf(repository: string): ImageRecord {
  const matches = imageRecords.filter((record) => repository === record.repository || repository.endsWith(`/${record.repository}`));
  return matches.sort((a, b) => b.repository.length - a.repository.length)[0] ?? unknownImage;
}
