import { errorMessage } from '../../env/index.ts';
import { createFile, type Inode } from '../files/inode.ts';
import type { Applet } from '../process/applet.ts';
import { createExecutable } from '../process/executable.ts';
import type { HttpAnswer, HttpRequest, HttpService } from '../process/listeners.ts';
import type { SignalName } from '../process/signals.ts';
import { busyboxTree } from './busybox-tree.ts';
import { isInode, type Tree } from './root-files.ts';

/** An image whose programs are functions. Its file system has the programs of BusyBox, too. */
export interface ContainerImage {
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  /** Default: `/`. */
  readonly workingDirectory?: string;
  /** `uid` or `uid:gid`. Default: root. */
  readonly user?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Texts by their absolute path. */
  readonly files?: Readonly<Record<string, string>>;
  /** The programs by their absolute path. */
  readonly programs: Readonly<Record<string, ContainerProgram>>;
}

/** A program of a container; the result is its exit code. A program that throws ends with 1, and its error is on its standard error. */
export type ContainerProgram = (process: ContainerProcess) => number | Promise<number>;

/** A process of a container, as its program sees it. */
export interface ContainerProcess {
  readonly args: readonly string[];
  readonly environment: ReadonlyMap<string, string>;
  readonly hostname: string;
  /** Aborts when the process ends, by a signal or with its container. */
  readonly signal: AbortSignal;
  /** Writes to the standard output. */
  out(text: string): void;
  /** Writes to the standard error. */
  err(text: string): void;
  /** @throws Error when the file cannot be read */
  readFile(path: string): string;
  /** @throws Error when the file cannot be written */
  writeFile(path: string, text: string): void;
  /** Waits by the clock of the cluster. Rejects when the process ends. */
  sleep(ms: number): Promise<void>;
  /** Calls `handler` when a signal (`TERM`, `HUP`) arrives. Without one, SIGTERM ends the process after the grace period. */
  onSignal(signal: string, handler: () => void): void;
  /** Ends the process with an exit code. */
  exit(code: number): void;
  /** Resolves with the exit code when the process has ended: what a server returns. */
  readonly ended: Promise<number>;
  /** Serves HTTP on a port of the pod until the process ends. An error of the handler is a response with status 500. @throws Error when the port is in use */
  serve(port: number, handler: (request: Request) => Response | Promise<Response>): void;
}

/** The name of a program in its executable file. */
const programName = (path: string): string => `registered ${path}`;

/** The programs of an image, by the name in their executable files. */
export function programsOf({ programs }: ContainerImage): ReadonlyMap<string, Applet> {
  return new Map(Object.entries(programs).map(([path, program]) => [programName(path), appletOf(program)]));
}

/** The files of an image. */
export function treeOf({ files = {}, programs }: ContainerImage): Tree {
  let tree = busyboxTree();
  for (const [path, text] of Object.entries(files)) tree = withFile(tree, path, createFile(text, { isShared: true }));
  for (const path of Object.keys(programs)) tree = withFile(tree, path, createExecutable(programName(path)));
  return tree;
}

/** A copy with a file, and with the folders above it. */
function withFile(tree: Tree, path: string, file: Inode): Tree {
  const [first = '', ...rest] = path.split('/').filter((part) => part !== '');
  if (rest.length === 0) return { ...tree, [first]: file };
  const below = Object.hasOwn(tree, first) ? tree[first] : undefined;
  const folder = below === undefined || typeof below === 'string' || isInode(below) ? {} : below;
  return { ...tree, [first]: withFile(folder, rest.join('/'), file) };
}

const appletOf =
  (program: ContainerProgram): Applet =>
  async (invocation, process) => {
    const { args, environment, out, err } = invocation;
    const { container, user, signal } = process;
    const api: ContainerProcess = {
      args,
      environment,
      hostname: container.hostname,
      signal,
      out,
      err,
      readFile: (path) => new TextDecoder().decode(container.files.read(path, user)),
      writeFile: (path, text) => container.files.write(path, text, user),
      sleep: (ms) => process.sleep(ms),
      onSignal: (name, handler) => process.onSignal(name as SignalName, handler),
      exit: (code) => process.end({ code }),
      ended: process.ended.then(({ code }) => code),
      serve: (port, handler) => void process.ended.then(container.listeners.listen(port, { http: serviceOf(handler) })),
    };
    try {
      return await program(api);
    } catch (error) {
      if (process.hasEnded) return 0;
      err(`${errorMessage(error)}\n`);
      return 1;
    }
  };

const serviceOf =
  (handler: Parameters<ContainerProcess['serve']>[1]): HttpService =>
  async ({ method, target, headers, body }: HttpRequest): Promise<HttpAnswer> => {
    const url = new URL(target, `http://${headers.get('host') ?? 'localhost'}`);
    const init = { method, headers: [...headers] };
    const hasBody = method !== 'GET' && method !== 'HEAD' && body.length > 0;
    try {
      const response = await handler(new Request(url, hasBody ? { ...init, body: body.slice() } : init));
      return { status: response.status, headers: [...response.headers], body: new Uint8Array(await response.arrayBuffer()) };
    } catch (error) {
      return { status: 500, headers: [['Content-Type', 'text/plain']], body: `${errorMessage(error)}\n` };
    }
  };
