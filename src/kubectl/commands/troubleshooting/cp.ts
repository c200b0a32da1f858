import { concatBytes } from '../../../meta/index.ts';
import {
  baseName,
  FileError,
  type FileSystem,
  formatTarEntry,
  readTar,
  resolvePath,
  sourceOf,
  type TarEntry,
  tarEnd,
} from '../../../shell/index.ts';
import { bool, int, text } from '../../parse/flags.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { getObject } from '../../resources/changes.ts';
import { nameOf } from '../../resources/info.ts';
import { runRemoteCommand } from '../../streams/remote-command.ts';
import { findOrDefaultContainer, pods } from '../resolve-pods.ts';

/** `file`, or `[[namespace/]pod:]file`. Without a pod the file is local. */
interface FileSpec {
  readonly namespace: string | undefined;
  readonly pod: string;
  readonly file: string;
}

/** Copies by `tar` in the container. Cf. k8s.io/kubectl/pkg/cmd/cp. */
export const cp: Command = {
  flags: { container: text('', 'c'), 'no-preserve': bool(), retries: int(0) },
  async run(call) {
    const [from, to, ...others] = call.words;
    await call.namespace();
    await call.cluster();
    if (from === undefined || to === undefined || others.length > 0) throw new KubectlError('source and destination are required');
    const [source, target] = [parseFileSpec(from), parseFileSpec(to)];
    if (source.pod !== '' && target.pod !== '') throw new KubectlError('one of src or dest must be a local file specification');
    if (source.file === '' || target.file === '') throw new KubectlError('filepath can not be empty');
    if (source.pod !== '') return copyFromPod(call, source, target.file);
    if (target.pod !== '') return copyToPod(call, source.file, target);
    throw new KubectlError('one of src or dest must be a remote file specification');
  },
};

/** @throws KubectlError */
function parseFileSpec(word: string): FileSpec {
  const colon = word.indexOf(':');
  const file = (path: string): string => path.replace(/\/$/, '');
  if (colon < 0) return { namespace: undefined, pod: '', file: file(word) };
  const parts = word.slice(0, colon).split('/');
  if (colon === 0 || parts.length > 2) throw new KubectlError('filespec must match the canonical format: [[namespace/]pod:]file/path');
  const [pod = '', namespace] = parts.reverse();
  return { namespace, pod, file: file(word.slice(colon + 1)) };
}

/** Runs a command in the container of the pod, with `input` as its standard input. Returns the exit code. */
async function runInPod(call: Call, { pod, namespace }: FileSpec, command: readonly string[], input?: Uint8Array): Promise<number> {
  const inNamespace = namespace ?? (await call.namespace()).name;
  const found = await getObject(call, { resource: pods, namespace: inNamespace, name: pod });
  const container = call.flags.text('container') || findOrDefaultContainer(call, found, '');
  const request = { namespace: inNamespace, pod: nameOf(found), container, subresource: 'exec' as const, command, tty: false };
  const streams: Call = input === undefined ? call : { ...call, input: sourceOf(input) };
  return runRemoteCommand(streams, { ...request, stdin: input !== undefined });
}

async function copyToPod(call: Call, source: string, target: FileSpec): Promise<number> {
  const { files } = call.shell;
  if ((await files.kind(call.path(source))) === undefined) throw new KubectlError(`${source} doesn't exist in local filesystem`);
  const silent: Call = { ...call, out: () => undefined, err: () => undefined };
  // Other failures are reported by the command that follows.
  const isDirectory = await runInPod(silent, target, ['test', '-d', target.file]).catch(() => 1);
  const file = isDirectory === 0 ? joinPath(target.file, baseName(call.path(source))) : target.file;
  const preserving = call.flags.bool('no-preserve') ? ['--no-same-permissions', '--no-same-owner'] : [];
  const slash = file.lastIndexOf('/');
  const directory = slash < 0 ? '.' : file.slice(0, slash) || '/';
  const mtime = Math.floor(call.shell.clock.nowMs() / 1_000);
  const archive = await archiveOf(call.path(source), file.slice(slash + 1), files, mtime);
  return runInPod(call, target, ['tar', ...preserving, '-xmf', '-', '-C', directory], archive);
}

async function archiveOf(path: string, name: string, files: FileSystem, mtime: number): Promise<Uint8Array> {
  const blocks: Uint8Array[] = [];
  const attributes = { uid: 0, gid: 0, mtime, target: '', content: new Uint8Array() };
  const add = async (from: string, to: string): Promise<void> => {
    const content = await files.read(from);
    if (content) return void blocks.push(...formatTarEntry({ ...attributes, name: to, type: 'file', mode: 0o644, content }));
    const names = await files.list(from);
    // Others are created for their files.
    if (names.length === 0) blocks.push(...formatTarEntry({ ...attributes, name: to, type: 'directory', mode: 0o755 }));
    for (const one of names) await add(joinPath(from, one), joinPath(to, one));
  };
  await add(path, name);
  return concatBytes([...blocks, tarEnd]);
}

async function copyFromPod(call: Call, source: FileSpec, target: string): Promise<number> {
  const chunks: Uint8Array[] = [];
  const encoder = new TextEncoder();
  const out = (chunk: string | Uint8Array): void => void chunks.push(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
  const code = await runInPod({ ...call, out, err: call.out }, source, ['tar', 'cf', '-', source.file]);
  if (code !== 0) return code;
  // `tar` names members without a leading slash.
  const prefix = resolvePath('/', source.file).slice(1);
  let hasWarned = false;
  for (const entry of readTar(concatBytes(chunks))) {
    if (!entry.name.startsWith(prefix)) throw new KubectlError('tar contents corrupted');
    const path = joinPath(target, entry.name.slice(prefix.length));
    if (!isBelow(call.path(path), call.path(target)))
      call.err(`warning: file ${JSON.stringify(path)} is outside target destination, skipping\n`);
    else if (entry.type === 'link') {
      const hint = `kubectl exec -n ${JSON.stringify(source.namespace ?? '')} ${JSON.stringify(source.pod)} -- tar cf - ${JSON.stringify(source.file)} | tar xf -`;
      const advice = hasWarned ? '' : ` (consider using "${hint}")`;
      call.err(`warning: skipping symlink: ${JSON.stringify(path)} -> ${JSON.stringify(entry.target)}${advice}\n`);
      hasWarned = true;
    } else await writeMember(call, path, entry);
  }
  return 0;
}

/** The container may be hostile. */
function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);
}

/** @throws KubectlError */
async function writeMember(call: Call, path: string, { type, content }: TarEntry): Promise<void> {
  const { files } = call.shell;
  const absolute = call.path(path);
  if (type === 'directory') return files.makeDirectory(absolute);
  try {
    await files.makeDirectory(call.path(`${path}/..`));
    await files.write(absolute, content.slice());
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new KubectlError(`open ${path}: ${error.code === 'is-directory' ? 'is a directory' : 'no such file or directory'}`);
  }
}

/** Cf. path.Join of Go: `..` at the start of a relative path stays. */
function joinPath(directory: string, name: string): string {
  const path = `${directory}/${name}`;
  if (path.startsWith('/')) return resolvePath('/', path);
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/') || '.';
}
