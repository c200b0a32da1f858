import type { Json } from '../../meta/index.ts';
import { globToRegExp, readText } from '../../shell/index.ts';
import type { Call } from '../program/command.ts';
import { AggregatedErrors, KubectlError, throwCollected } from '../program/errors.ts';
import { readDocuments } from './manifests.ts';

export interface Sources {
  readonly all: readonly { readonly name: string; documents(): AsyncGenerator<Json> }[];
  /** A single file, not standard input: a single object in it is not printed as a list. */
  readonly single: boolean;
}

interface SourceOptions {
  readonly files: readonly string[];
  readonly kustomize: string;
  readonly recursive: boolean;
}

const extensions = /\.(?:json|yaml|yml)$/;

/**
 * Finds the files, directories and standard input named by -f, or the kustomization named by -k.
 * @throws KubectlError, AggregatedErrors if the flags or paths are invalid; the sources throw when their contents are
 */
export async function findSources(call: Call, { files, kustomize, recursive }: SourceOptions): Promise<Sources> {
  if (kustomize !== '') {
    requireNoPaths(files, recursive);
    return { all: [{ name: '', documents: () => buildObjects(call, kustomize) }], single: true };
  }
  const all: { name: string; documents(): AsyncGenerator<Json> }[] = [];
  const errors: unknown[] = [];
  let single = true;
  for (const file of files) {
    if (file === '-') {
      single = false;
      const text = await readText(call.input);
      all.push({ name: 'STDIN', documents: () => readDocuments(text, 'STDIN') });
      continue;
    }
    if (/^https?:\/\//.test(file)) {
      errors.push(unreachableError(file));
      continue;
    }
    const found = await findFiles(call, file, recursive);
    if (!found) errors.push(new KubectlError(`the path ${JSON.stringify(file)} does not exist`));
    for (const name of found ?? []) all.push({ name, documents: () => readFile(call, name) });
    if (errors.length === 0 && all.length === 0)
      errors.push(new KubectlError(`error reading [${file}]: recognized file extensions are [.json .yaml .yml]`));
  }
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregatedErrors(errors);
  return { all, single: single && all.length === 1 };
}

/** Explains how a file of another origin gets into the page, which connects to its own origin only. */
function unreachableError(url: string): KubectlError {
  const name =
    url
      .replace(/[?#].*$/, '')
      .split('/')
      .at(-1) || 'manifest.yaml';
  return new KubectlError(
    `unable to read URL ${JSON.stringify(url)}: this console connects to its own origin only. Save its content with "vi ${name}", and run the command with -f ${name}`,
  );
}

function requireNoPaths(files: readonly string[], recursive: boolean): void {
  const errors = [
    ...(files.length > 0 ? [new KubectlError('only one of -f or -k can be specified')] : []),
    ...(recursive ? [new KubectlError("the -k flag can't be used with -f or -R")] : []),
  ];
  throwCollected(errors);
}

async function* buildObjects(call: Call, kustomization: string): AsyncGenerator<Json> {
  const { buildKustomization } = await import('../kustomize/index.ts');
  yield* await buildKustomization(call, kustomization);
}

async function* readFile(call: Call, name: string): AsyncGenerator<Json> {
  const content = await call.shell.files.read(call.path(name));
  yield* readDocuments(new TextDecoder().decode(content ?? new Uint8Array()), name);
}

/** Undefined when the path does not exist. */
async function findFiles(call: Call, name: string, recursive: boolean): Promise<readonly string[] | undefined> {
  const kind = await call.shell.files.kind(call.path(name));
  if (kind === 'file') return [name];
  if (kind === 'directory') return walk(call, name.replace(/\/$/, ''), recursive);
  if (!/[*?[]/.test(name)) return undefined;
  const cut = name.lastIndexOf('/');
  const directory = cut < 0 ? '.' : name.slice(0, cut);
  const matcher = globToRegExp(name.slice(cut + 1));
  const names = (await call.shell.files.list(call.path(directory))).filter((one) => matcher.test(one));
  return names.length > 0 ? names.map((one) => name.slice(0, cut + 1) + one) : undefined;
}

/** Cf. Go's filepath.Join. */
function joinPath(directory: string, name: string): string {
  return `${directory}/${name}`.replace(/^(?:\.\/+)+/, '').replace(/\/{2,}/g, '/');
}

async function walk(call: Call, directory: string, recursive: boolean): Promise<string[]> {
  const found: string[] = [];
  for (const name of await call.shell.files.list(call.path(directory))) {
    const path = joinPath(directory, name);
    const kind = await call.shell.files.kind(call.path(path));
    if (kind === 'file' && extensions.test(name)) found.push(path);
    else if (kind === 'directory' && recursive) found.push(...(await walk(call, path, true)));
  }
  return found;
}
