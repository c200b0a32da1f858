import { getOrAdd } from '../../meta/index.ts';
import { createFile, type Directory } from '../files/inode.ts';
import { postgresMajor, postgresPackage } from '../postgres/version.ts';
import type { Applet } from '../process/applet.ts';
import { createExecutable } from '../process/executable.ts';
import { busyboxPrograms, gnuPrograms } from '../programs/applets.ts';
import { redisVersion } from '../redis/version.ts';
import { busyboxTree } from './busybox-tree.ts';
import { localhostCertificate } from './localhost-certificate.ts';
import { type ContainerImage, programsOf, treeOf } from './registered-image.ts';
import { executables, folderOf, link, type Tree, userFiles } from './root-files.ts';
import { httpdTree, nginxTree } from './web-server-trees.ts';

/** An image whose programs are emulated. */
export interface EmulatedImage {
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly workingDirectory: string;
  /** `uid` or `uid:gid`; empty: root. */
  readonly user: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly root: () => Directory;
  /** Those of a registered image, by the name in their executable files. */
  readonly programs: ReadonlyMap<string, Applet>;
}

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

type Definition = Partial<Omit<EmulatedImage, 'root' | 'programs'>> & { readonly files?: () => Tree };

/** The folders of a system with the GNU tools. */
const gnuTree = (): Tree => {
  const tree = busyboxTree();
  const programs = executables([...gnuPrograms.filter((name) => !/^(vi|wget|ip|hexdump)$/.test(name)), 'bash']);
  const { bin: _, usr: __, ...rest } = tree;
  return { ...rest, bin: link('usr/bin'), usr: { bin: programs, sbin: {}, local: { bin: {}, sbin: {} }, share: {} } };
};

const bare = (programs: Tree): Tree => ({ ...programs, etc: userFiles, tmp: folderOf({}, 0o1777) });

const agnhostTree = (): Tree => ({
  ...busyboxTree(),
  bin: executables([...busyboxPrograms, 'bash']),
  etc: {
    ...userFiles,
    'nsswitch.conf': 'hosts: files dns\n',
    passwd: `${userFiles.passwd}user-defined-in-image:x:1000:1000::/home/user-defined-in-image:/bin/sh\n`,
    group: `${userFiles.group}user-defined-in-image:x:1000:\ngroup-defined-in-image:x:50000:user-defined-in-image\n`,
  },
  usr: { bin: executables(['env', 'curl', 'dig', 'getent']), sbin: {}, local: { bin: {}, sbin: {} } },
  agnhost: createExecutable('agnhost'),
  'agnhost-2': createExecutable('agnhost'),
  'localhost.crt': localhostCertificate,
  // Connections are not encrypted, so that servers need no key.
  'localhost.key': '',
  uploads: {},
});

/** A web server with a picture and its name, which tests of updates read. */
const updateDemo = (picture: string): Definition => ({
  entrypoint: ['/agnhost'],
  command: ['test-webserver'],
  files: () => ({ ...agnhostTree(), 'data.json': `{\n"image": "${picture}"\n}\n`, [picture]: '' }),
});

const dnsTree = (): Tree => {
  const { usr: _, ...rest } = gnuTree();
  const programs = executables([...gnuPrograms, 'bash', 'curl', 'dig', 'getent']);
  return { ...rest, usr: { bin: programs, sbin: {}, local: { bin: {}, sbin: {} }, share: {} } };
};

/** Options, or a configuration file, are those of the server. */
const redisEntrypoint = `#!/bin/sh
set -e
if [ "\${1#-}" != "$1" ] || [ "\${1%.conf}" != "$1" ]; then
	set -- redis-server "$@"
fi
exec "$@"
`;

const postgresTree = (): Tree => {
  const tree = gnuTree();
  const programs = executables(['psql', 'postgres']);
  const local = { bin: { 'docker-entrypoint.sh': createExecutable('postgres-entrypoint') }, sbin: {} };
  return {
    ...tree,
    'docker-entrypoint-initdb.d': {},
    var: { lib: { postgresql: { data: {} } } },
    usr: { ...(tree['usr'] as Tree), local, lib: { postgresql: { [postgresMajor]: { bin: programs } } } },
  };
};

const redisTree = (): Tree => {
  const tree = gnuTree();
  const programs = executables(['redis-server', 'redis-cli']);
  const entrypoint = createFile(redisEntrypoint, { mode: 0o755, isShared: true });
  return {
    ...tree,
    data: {},
    usr: { ...(tree['usr'] as Tree), local: { bin: { ...programs, 'docker-entrypoint.sh': entrypoint }, sbin: {} } },
  };
};

const shellImage: Definition = { command: ['sh'], files: busyboxTree };
const gnuImage: Definition = { command: ['bash'], files: gnuTree };
const httpdImage: Definition = {
  command: ['httpd-foreground'],
  workingDirectory: '/usr/local/apache2',
  files: () => httpdTree(gnuTree()),
};
const nginxImage: Definition = { command: ['nginx', '-g', 'daemon off;'], files: () => nginxTree(gnuTree()) };

/** The emulated images by the end of their repository. */
const definitions: Readonly<Record<string, Definition>> = {
  'e2e-test-images/agnhost': { entrypoint: ['/agnhost'], command: ['pause'], files: agnhostTree },
  'e2e-test-images/busybox': shellImage,
  'e2e-test-images/httpd': httpdImage,
  'e2e-test-images/jessie-dnsutils': { command: ['bash'], files: dnsTree },
  'e2e-test-images/kitten': updateDemo('kitten.jpg'),
  'e2e-test-images/nautilus': updateDemo('nautilus.jpg'),
  'e2e-test-images/nginx': nginxImage,
  'e2e-test-images/nonewprivs': { entrypoint: ['/nnp'], files: () => bare({ nnp: createExecutable('nnp', 0o4755) }) },
  'e2e-test-images/nonroot': { ...shellImage, user: '1234' },
  'e2e-test-images/sample-apiserver': {
    entrypoint: ['/sample-apiserver'],
    files: () => bare({ 'sample-apiserver': createExecutable('sample-apiserver') }),
  },
  alpine: shellImage,
  'curlimages/curl': {
    entrypoint: ['curl'],
    user: '100:101',
    files: () => ({ ...busyboxTree(), usr: { bin: executables(['env', 'curl']) } }),
  },
  bash: { ...gnuImage, entrypoint: [], command: ['bash'] },
  busybox: shellImage,
  debian: gnuImage,
  etcd: { command: ['etcd'], files: () => bare({ usr: { local: { bin: executables(['etcd']) } } }) },
  'hello-world': { command: ['/hello'], files: () => bare({ hello: createExecutable('hello') }) },
  httpd: httpdImage,
  nginx: nginxImage,
  pause: { entrypoint: ['/pause'], user: '65535:65535', files: () => bare({ pause: createExecutable('pause') }) },
  postgres: {
    entrypoint: ['docker-entrypoint.sh'],
    command: ['postgres'],
    environment: {
      PATH: `${path}:/usr/lib/postgresql/${postgresMajor}/bin`,
      PG_MAJOR: postgresMajor,
      PG_VERSION: postgresPackage,
      PGDATA: '/var/lib/postgresql/data',
    },
    files: postgresTree,
  },
  redis: {
    entrypoint: ['docker-entrypoint.sh'],
    command: ['redis-server'],
    workingDirectory: '/data',
    environment: { PATH: path, REDIS_VERSION: redisVersion },
    files: redisTree,
  },
  ubuntu: gnuImage,
};

function definitionOf(repository: string): Definition | undefined {
  const parts = repository.split('/');
  for (const count of [2, 1]) {
    const name = parts.slice(-count).join('/');
    if (Object.hasOwn(definitions, name)) return definitions[name];
  }
  return undefined;
}

const noPrograms: ReadonlyMap<string, Applet> = new Map();

/** The emulated images, whose files are made when they are first used. Registered images hide those of the same repository. */
export class ImageStore {
  readonly #registered: ReadonlyMap<string, ContainerImage>;
  readonly #known = new Map<Definition | ContainerImage, EmulatedImage>();

  constructor(registered: ReadonlyMap<string, ContainerImage>) {
    this.#registered = registered;
  }

  /** `repository` has the registry's host. */
  has(repository: string): boolean {
    return this.#registeredOf(repository) !== undefined || definitionOf(repository) !== undefined;
  }

  get(repository: string): EmulatedImage | undefined {
    const registered = this.#registeredOf(repository);
    const image = registered ?? definitionOf(repository);
    if (!image) return undefined;
    return getOrAdd(this.#known, image, () => (registered ? imageOf(registered) : emulated(image as Definition)));
  }

  /** Registered by the whole repository, or without the parts that Docker Hub adds. */
  #registeredOf(repository: string): ContainerImage | undefined {
    const short = repository.replace(/^docker\.io\/(?:library\/)?/, '');
    return this.#registered.get(repository) ?? this.#registered.get(short);
  }
}

function imageOf(image: ContainerImage): EmulatedImage {
  const { programs: _, files: __, environment = {}, ...fields } = image;
  return {
    ...emulated({ ...fields, environment: { PATH: path, ...environment }, files: () => treeOf(image) }),
    programs: programsOf(image),
  };
}

function emulated({ files, ...fields }: Definition): EmulatedImage {
  let root: Directory | undefined;
  return {
    entrypoint: [],
    command: [],
    workingDirectory: '/',
    user: '',
    environment: { PATH: path },
    ...fields,
    programs: noPrograms,
    root: () => {
      root ??= folderOf(files?.() ?? {});
      return root;
    },
  };
}
