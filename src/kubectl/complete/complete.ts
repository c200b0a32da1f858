import { type ApiHandler, type Product, productNamed } from '../../meta/index.ts';
import { ApiClient } from '../api/client.ts';
import { findTyped } from '../api/cluster.ts';
import { discover, type KnownResource, pathOf } from '../api/discovery.ts';
import { rootCommand } from '../commands/index.ts';
import { createConfigAccess, entriesOf } from '../kubeconfig/access.ts';
import { identityHeaders, resolveTarget } from '../kubeconfig/resolve.ts';
import { type FlagSpecs, readFlags } from '../parse/flags.ts';
import type { Command } from '../program/command.ts';
import { globalFlags } from '../program/global-flags.ts';
import { itemsOf, nameOf } from '../resources/info.ts';
import type { Shell } from '../shell/create-shell.ts';
import { resolvePath } from '../shell/files.ts';

export interface Candidate {
  readonly text: string;
  /** One line about it; empty when there is nothing to say. */
  readonly about: string;
}

/** What may stand in place of the text between `from` and the cursor. */
export interface Completion {
  readonly from: number;
  readonly candidates: readonly Candidate[];
}

export interface CompletionContext {
  readonly shell: Shell;
  readonly connect: (origin: string) => ApiHandler | undefined;
  readonly signal: AbortSignal;
  readonly product?: Product;
}

/** Subcommands, flags and their values, types, names, namespaces and files that could stand at the cursor. */
export async function completeLine(context: CompletionContext, line: string, cursor: number): Promise<Completion> {
  const before = line.slice(0, cursor);
  const start = Math.max(...['|', ';', '&', '(', '\n'].map((mark) => before.lastIndexOf(mark))) + 1;
  const words = before.slice(start).trimStart().split(/\s+/);
  const current = words.pop() ?? '';
  const found = await candidatesFor(context, words, current);
  const [prefix, offset] = found.within === undefined ? [current, 0] : [current.slice(found.within), found.within];
  const candidates = found.candidates.filter(({ text }) => text.startsWith(prefix) && text !== prefix);
  return { from: cursor - current.length + offset, candidates: candidates.slice(0, 200) };
}

interface Found {
  readonly candidates: readonly Candidate[];
  /** Where in the current word the candidate begins (after `--output=`, `pod/`). */
  readonly within?: number;
}

const plain = (texts: readonly string[]): Candidate[] => texts.map((text) => ({ text, about: '' }));

async function candidatesFor(context: CompletionContext, words: readonly string[], current: string): Promise<Found> {
  const { state, services } = context.shell;
  const [first] = words;
  if (first === undefined) return { candidates: plain([...services.programNames, ...state.aliases.keys()]) };
  const name = state.aliases.get(first)?.split(/\s+/, 1)[0] ?? first;
  if (name !== 'kubectl') return files(context, current);
  const { command, rest } = await walk(words.slice(1));
  const specs: FlagSpecs = { ...globalFlags, ...command.flags };
  const inline = /^--([\w-]+)=/.exec(current);
  if (inline) return { ...(await flagValues(context, inline[1] ?? '', words)), within: inline[0].length };
  const previous = words.at(-1) ?? '';
  const flag = flagNamed(previous, specs);
  if (flag !== undefined && specs[flag]?.bare === undefined) return flagValues(context, flag, words, current);
  if (current.startsWith('-')) return { candidates: Object.entries(specs).map(([text, { about = '' }]) => ({ text: `--${text}`, about })) };
  if (command.subcommands && rest.length === 0) {
    const subcommands = Object.entries(command.subcommands).map(([text, { about }]) => ({ text, about }));
    if (!command.run) return { candidates: subcommands };
  }
  return objects(context, words, rest, current);
}

async function walk(words: readonly string[]): Promise<{ command: Command; rest: readonly string[] }> {
  let command = rootCommand;
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word.startsWith('-')) continue;
    const entry = Object.entries(command.subcommands ?? {}).find(([name, { aliases }]) => name === word || aliases?.includes(word))?.[1];
    if (!entry) break;
    command = await entry.load();
  }
  const specs: FlagSpecs = { ...globalFlags, ...command.flags };
  const rest = words.slice(at).filter((word, index, all) => !word.startsWith('-') && flagNamed(all[index - 1] ?? '', specs) === undefined);
  return { command, rest };
}

function flagNamed(word: string, specs: FlagSpecs): string | undefined {
  if (word.startsWith('--') && !word.includes('=')) return Object.hasOwn(specs, word.slice(2)) ? word.slice(2) : undefined;
  return /^-[a-zA-Z]$/.test(word) ? Object.entries(specs).find(([, { short }]) => short === word[1])?.[0] : undefined;
}

const outputs = ['yaml', 'json', 'wide', 'name', 'jsonpath=', 'jsonpath-as-json=', 'custom-columns=', 'go-template='];
const values: Readonly<Record<string, readonly string[]>> = {
  output: outputs,
  'dry-run': ['none', 'client', 'server'],
  cascade: ['background', 'orphan', 'foreground'],
  validate: ['strict', 'warn', 'ignore'],
  type: ['strategic', 'merge', 'json'],
  restart: ['Always', 'OnFailure', 'Never'],
  as: ['system:admin', 'system:anonymous'],
  'as-group': ['system:masters', 'system:authenticated'],
};

async function flagValues(context: CompletionContext, flag: string, words: readonly string[], current = ''): Promise<Found> {
  if (flag === 'namespace') return { candidates: await names(context, words, 'namespaces') };
  if (flag === 'filename' || flag === 'kustomize' || flag === 'from-file' || flag === 'patch-file') return files(context, current);
  if (flag === 'context' || flag === 'cluster' || flag === 'user') {
    const section = flag === 'context' ? 'contexts' : flag === 'cluster' ? 'clusters' : 'users';
    return { candidates: plain(entriesOf(await configOf(context), section).map((entry) => String(entry['name']))) };
  }
  return { candidates: plain(values[flag] ?? []) };
}

async function files({ shell }: CompletionContext, current: string): Promise<Found> {
  const cut = current.lastIndexOf('/') + 1;
  const directory = resolvePath(shell.state.directory, current.slice(0, cut) || '.');
  const found: Candidate[] = [];
  for (const name of await shell.services.files.list(directory)) {
    const kind = await shell.services.files.kind(`${directory}/${name}`);
    found.push({ text: kind === 'directory' ? `${name}/` : name, about: '' });
  }
  return { candidates: found, within: cut };
}

async function objects(context: CompletionContext, words: readonly string[], rest: readonly string[], current: string): Promise<Found> {
  const verb = words.slice(1).find((word) => !word.startsWith('-')) ?? '';
  if (verb === 'config') return { candidates: plain(entriesOf(await configOf(context), 'contexts').map((entry) => String(entry['name']))) };
  if (['logs', 'exec', 'attach', 'port-forward', 'debug', 'cp'].includes(verb) && !current.includes('/'))
    return { candidates: await names(context, words, 'pods') };
  if (['cordon', 'uncordon', 'drain'].includes(verb)) return { candidates: await names(context, words, 'nodes') };
  const slash = current.indexOf('/');
  if (slash > 0) return { candidates: await names(context, words, current.slice(0, slash)), within: slash + 1 };
  const [type] = rest;
  if (type !== undefined && !type.includes('/')) return { candidates: await names(context, words, type) };
  const known = await resourcesOf(context, words);
  return {
    candidates: known
      .filter(({ preferred }) => preferred)
      .flatMap((one) => [{ text: one.name, about: one.kind }, ...plain(one.shortNames)]),
  };
}

async function configOf({ shell }: CompletionContext): ReturnType<ReturnType<typeof createConfigAccess>['load']> {
  const { state, services } = shell;
  const variable = state.variables.get('KUBECONFIG');
  return createConfigAccess({
    files: services.files,
    path: (path) => resolvePath(state.directory, path),
    named: '',
    variable,
    home: state.variables.get('HOME') ?? '',
  }).load();
}

async function clientOf(context: CompletionContext, words: readonly string[]): Promise<{ client: ApiClient; namespace: string }> {
  const { shell, connect, signal } = context;
  const known = words.filter(
    (word, index) =>
      /^(-n|--namespace|--context|--user|--as)$/.test(word) ||
      /^(-n|--namespace|--context|--user|--as)$/.test(words[index - 1] ?? '') ||
      /^--(namespace|context|user|as)=/.test(word),
  );
  const flags = readFlags(known, globalFlags);
  const target = resolveTarget(await configOf(context), flags);
  const client = new ApiClient({
    server: target.server,
    handler: connect(new URL(target.server).origin),
    headers: identityHeaders(target, flags),
    impersonatedGroups: [],
    clock: shell.services.clock,
    signal,
    timeout: undefined,
    rename: (text) => (context.product ?? productNamed('kubernetes')).rename(text),
    onWarning: () => {},
    onRequest: () => {},
  });
  return { client, namespace: target.namespace };
}

async function resourcesOf(context: CompletionContext, words: readonly string[]): Promise<readonly KnownResource[]> {
  try {
    return await discover((await clientOf(context, words)).client);
  } catch {
    // Completion never fails: there is only less to offer.
    return [];
  }
}

async function names(context: CompletionContext, words: readonly string[], type: string): Promise<Candidate[]> {
  const product = context.product ?? productNamed('kubernetes');
  try {
    const { client, namespace } = await clientOf(context, words);
    const resource = findTyped(await discover(client), type);
    if (!resource) return [];
    const accept = `application/json;as=PartialObjectMetadataList;v=v1;g=${product.names.metaGroup},application/json`;
    const list = await client.read('GET', pathOf(resource, namespace), { accept, query: { limit: '200' } });
    return plain(itemsOf(list).map(nameOf));
  } catch {
    // Not allowed or not there: nothing to offer.
    return [];
  }
}
