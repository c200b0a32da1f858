import type { Invocation } from '../../shell/index.ts';
import { SystemError } from '../files/file-error.ts';
import { FileTree } from '../files/file-tree.ts';
import { type Mount, MountTable } from '../files/mount-table.ts';
import { Process } from './process.ts';

/** A command that runs with other files. */
interface ChangedRoot {
  readonly argv: readonly string[];
  readonly process: Process;
}

/** The file of a node's mount namespace in its root. */
const hostMountNamespace = '/proc/1/ns/mnt';

/** `chroot DIR [COMMAND]`; returns its message when it fails. */
export function changeRoot({ args, path }: Invocation, process: Process): ChangedRoot | string {
  const [directory, ...command] = args;
  if (directory === undefined) return 'chroot: missing operand';
  return enter(path(directory), command, process, (reason) => `chroot: can't change root directory to '${directory}': ${reason}`);
}

/** `nsenter --mount=FILE COMMAND`, where FILE is that of a node whose root is mounted. Other namespaces stay the same. */
export function enterNamespaces({ args, path }: Invocation, process: Process): ChangedRoot | string {
  const count = args.findIndex((arg, at) => !arg.startsWith('-') && args[at - 1] !== '-t');
  const options = args.slice(0, count < 0 ? args.length : count);
  const command = args.slice(options.length);
  const mount = options.find((option) => /^(-m|--mount)(=|$)/.test(option));
  const fail = (reason: string): string => `nsenter: setns(): can't reassociate to namespace 'mnt': ${reason}`;
  if (mount === undefined) return enter('/', command, process, fail);
  const file = mount.split('=')[1] ?? hostMountNamespace;
  const name = path(file);
  if (!name.endsWith(hostMountNamespace) || !process.container.files.find(name, process.user))
    return `nsenter: can't open '${file}': No such file or directory`;
  const directory = name.slice(0, -hostMountNamespace.length) || '/';
  return enter(directory, command, process, fail, filesOfNode);
}

function enter(
  directory: string,
  command: readonly string[],
  process: Process,
  failure: (reason: string) => string,
  filesAt: typeof filesBelow = filesBelow,
): ChangedRoot | string {
  const { container, user, environment } = process;
  if (user.uid !== 0) return failure('Operation not permitted');
  try {
    const files = filesAt(directory, container.files, process);
    const argv = command.length > 0 ? command : [environment.get('SHELL') ?? '/bin/sh'];
    const pid = Math.max(...container.processes.keys()) + 1;
    return { argv, process: new Process({ ...container, files, workingDirectory: '/' }, { pid, argv, user, environment }) };
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return failure(error.message);
  }
}

/** The files of a directory and what is mounted below. @throws SystemError */
function filesBelow(directory: string, files: FileTree, { user, container }: Process): FileTree {
  const { inode, mount, path } = files.status(directory, user);
  if (inode.type !== 'directory') throw new SystemError('ENOTDIR');
  const root: Mount = { path: '/', root: inode, isReadOnly: mount.isReadOnly, store: mount.store };
  const prefix = path === '/' ? '' : path;
  const below = files.mounts.all.filter((one) => one.path.startsWith(`${prefix}/`) && one.path !== '/');
  const mounts = below.map((one) => ({ ...one, path: one.path.slice(prefix.length) }));
  return new FileTree(new MountTable(root, mounts), container.env.clock);
}

/** The files of a node, which are writable also when the container may only read them. @throws SystemError */
function filesOfNode(directory: string, files: FileTree, { user, container }: Process): FileTree {
  const { inode, mount } = files.status(directory, user);
  return new FileTree(new MountTable({ path: '/', root: inode, isReadOnly: false, store: mount.store }), container.env.clock);
}
