import { amountOf } from '../../component-helpers/index.ts';
import type { Random } from '../../env/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { SystemError } from '../files/file-error.ts';
import { createDevice, createDirectory, createFile, createLink, createVirtualFile, type Directory, type Inode } from '../files/inode.ts';
import { createExecutable } from '../process/executable.ts';

/** A tree of files as data: texts, folders, or inodes. */
export interface Tree {
  readonly [name: string]: string | Tree | Inode;
}

export const isInode = (value: Tree | Inode): value is Inode => typeof value['mode'] === 'number' && typeof value['type'] === 'string';

/** The folder of a tree, shared by the containers of an image. */
export function folderOf(tree: Tree, mode = 0o755): Directory {
  const entries = Object.entries(tree).map(([name, value]): [string, Inode] => {
    if (typeof value === 'string') return [name, createFile(value, { isShared: true })];
    return [name, isInode(value) ? value : folderOf(value)];
  });
  return createDirectory({ mode, isShared: true }, entries);
}

export const link = (target: string): Inode => createLink(target, { isShared: true });

/** Executable files; `program` is what they run, by default the program of the file's name. */
export function executables(names: readonly string[], program?: string): Tree {
  return Object.fromEntries(names.map((name) => [name, createExecutable(program ?? '*')]));
}

/** The users of every image. */
export const userFiles = {
  passwd:
    'root:x:0:0:root:/root:/bin/sh\ndaemon:x:1:1:daemon:/usr/sbin:/bin/false\nbin:x:2:2:bin:/bin:/bin/false\nwww-data:x:33:33:www-data:/var/www:/bin/false\nnobody:x:65534:65534:nobody:/home:/bin/false\n',
  group: 'root:x:0:\ndaemon:x:1:\nbin:x:2:\nwww-data:x:33:\nwheel:x:10:root\nnobody:x:65534:\nnogroup:x:65533:\n',
};

/** `/dev` of a container. */
export function deviceFolder(random: Pick<Random, 'integer'>): Directory {
  const nothing = (): void => {};
  const noise = (limit: number): Uint8Array => Uint8Array.from({ length: limit }, () => random.integer(256));
  const full = (): never => {
    throw new SystemError('ENOSPC');
  };
  const devices: readonly (readonly [string, Inode])[] = [
    ['full', createDevice({ read: (limit) => new Uint8Array(limit), write: full })],
    ['null', createDevice({ read: () => new Uint8Array(), write: nothing })],
    ['random', createDevice({ read: noise, write: nothing })],
    ['tty', createDevice({ read: () => new Uint8Array(), write: nothing })],
    ['urandom', createDevice({ read: noise, write: nothing })],
    ['zero', createDevice({ read: (limit) => new Uint8Array(limit), write: nothing })],
    ['shm', createDirectory({ mode: 0o1777 })],
    ['pts', createDirectory()],
    ['mqueue', createDirectory({ mode: 0o1777 })],
    ['fd', createLink('/proc/self/fd')],
    ['stdin', createLink('/proc/self/fd/0')],
    ['stdout', createLink('/proc/self/fd/1')],
    ['stderr', createLink('/proc/self/fd/2')],
  ];
  return createDirectory({}, devices);
}

export interface SystemFacts {
  readonly hostname: string;
  /** Those that the container has now. */
  readonly resources: () => corev1.ResourceRequirements;
  readonly mayEscalate: boolean;
  readonly oomScoreAdjustment: number;
  /** By seccomp. */
  readonly isFiltered: boolean;
  readonly uptimeSeconds: () => number;
  readonly sysctls: ReadonlyMap<string, string>;
  readonly mounts: () => string;
  readonly argv: () => readonly string[];
}

/** `/proc` of a container. */
export function procFolder(facts: SystemFacts): Directory {
  const process = createDirectory({ mode: 0o555 }, [
    [
      'cmdline',
      createVirtualFile(() =>
        facts
          .argv()
          .map((word) => `${word}\0`)
          .join(''),
      ),
    ],
    ['cgroup', createVirtualFile(() => '0::/\n')],
    ['mounts', createVirtualFile(facts.mounts)],
    ['oom_score_adj', createVirtualFile(() => `${facts.oomScoreAdjustment}\n`)],
    [
      'status',
      createVirtualFile(() => {
        const filters = facts.isFiltered ? 'Seccomp:\t2\nSeccomp_filters:\t1\n' : 'Seccomp:\t0\nSeccomp_filters:\t0\n';
        return `Name:\t${facts.argv()[0] ?? ''}\nPid:\t1\nNoNewPrivs:\t${facts.mayEscalate ? 0 : 1}\n${filters}`;
      }),
    ],
    ['fd', createDirectory({ mode: 0o500 })],
  ]);
  const sys = createDirectory({ mode: 0o555 });
  for (const [name, value] of facts.sysctls)
    addFile(
      sys,
      name.split('.'),
      createVirtualFile(() => `${value}\n`),
    );
  addFile(
    sys,
    ['kernel', 'hostname'],
    createVirtualFile(() => `${facts.hostname}\n`),
  );
  return createDirectory({ mode: 0o555 }, [
    ['1', process],
    ['self', createLink('1')],
    ['mounts', createLink('self/mounts')],
    ['sys', sys],
    ['uptime', createVirtualFile(() => `${facts.uptimeSeconds().toFixed(2)} 0.00\n`)],
    ['version', createVirtualFile(() => 'Linux version 6.8.0\n')],
    ['meminfo', createVirtualFile(() => `MemTotal:        8388608 kB\nMemFree:         8000000 kB\nMemAvailable:    8000000 kB\n`)],
    ['cpuinfo', createVirtualFile(() => [0, 1, 2, 3].map((cpu) => `processor\t: ${cpu}\n\n`).join(''))],
    ['loadavg', createVirtualFile(() => '0.00 0.00 0.00 1/1 1\n')],
  ]);
}

/** `/sys`, without the container's cgroup. */
export const sysFolder = (): Directory =>
  createDirectory({ mode: 0o555 }, [['fs', createDirectory({ mode: 0o555 }, [['cgroup', createDirectory()]])]]);

const maxShares = 262_144;

/** `/sys/fs/cgroup` with the resources of a container. Cf. pkg/kubelet/cm MilliCPUToShares, MilliCPUToQuota. */
export function cgroupFolder(resources: () => corev1.ResourceRequirements): Directory {
  const amount = (part: 'requests' | 'limits', name: string): number => amountOf(name, resources()[part]?.[name] ?? '0');
  const weight = (): number => {
    const shares = Math.floor((amount('requests', 'cpu') || amount('limits', 'cpu')) * 1.024);
    return 1 + Math.floor(((Math.min(Math.max(shares, 2), maxShares) - 2) * 9_999) / (maxShares - 2));
  };
  const quota = (): number | 'max' => {
    const milliCpu = amount('limits', 'cpu');
    return milliCpu === 0 ? 'max' : Math.max(1_000, milliCpu * 100);
  };
  return createDirectory({ mode: 0o555 }, [
    ['cgroup.controllers', createVirtualFile(() => 'cpuset cpu io memory hugetlb pids rdma misc\n')],
    ['cpu.max', createVirtualFile(() => `${quota()} 100000\n`)],
    ['cpu.weight', createVirtualFile(() => `${weight()}\n`)],
    ['memory.max', createVirtualFile(() => `${amount('limits', 'memory') || 'max'}\n`)],
  ]);
}

function addFile(folder: Directory, [name = '', ...rest]: readonly string[], file: Inode): void {
  if (rest.length === 0) {
    folder.entries.set(name, file);
    return;
  }
  const known = folder.entries.get(name);
  const child = known?.type === 'directory' ? known : createDirectory({ mode: 0o555 });
  folder.entries.set(name, child);
  addFile(child, rest, file);
}
