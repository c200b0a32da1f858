import { type ApiHandler, type JsonObject, type Product, productNamed } from '../../meta/index.ts';
import { ApiClient } from '../api/client.ts';
import { findTyped } from '../api/cluster.ts';
import { discover, type KnownResource, pathOf } from '../api/discovery.ts';
import { readSchemas, type Schemas } from '../api/open-api.ts';
import { createConfigAccess } from '../kubeconfig/access.ts';
import { identityHeaders, resolveTarget } from '../kubeconfig/resolve.ts';
import { readFlags } from '../parse/flags.ts';
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

/** What there is to offer. */
export interface Found {
  readonly candidates: readonly Candidate[];
  /** Where in the current word the candidate begins (after `--output=`, `pod/`). */
  readonly within?: number;
}

export const plain = (texts: readonly string[]): Candidate[] => texts.map((text) => ({ text, about: '' }));

export async function files({ shell }: CompletionContext, current: string): Promise<Found> {
  const cut = current.lastIndexOf('/') + 1;
  const directory = resolvePath(shell.state.directory, current.slice(0, cut) || '.');
  const found: Candidate[] = [];
  for (const name of await shell.services.files.list(directory)) {
    const kind = await shell.services.files.kind(`${directory}/${name}`);
    found.push({ text: kind === 'directory' ? `${name}/` : name, about: '' });
  }
  return { candidates: found, within: cut };
}

export async function configOf({ shell }: CompletionContext): ReturnType<ReturnType<typeof createConfigAccess>['load']> {
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

export async function clientOf(context: CompletionContext, words: readonly string[]): Promise<{ client: ApiClient; namespace: string }> {
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

export async function resourcesOf(context: CompletionContext, words: readonly string[]): Promise<readonly KnownResource[]> {
  try {
    return await discover((await clientOf(context, words)).client);
  } catch {
    // Completion never fails: there is only less to offer.
    return [];
  }
}

export async function names(context: CompletionContext, words: readonly string[], type: string): Promise<Candidate[]> {
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

/** The whole objects of a type, in the namespace that the line means. */
export async function objectsOf(context: CompletionContext, words: readonly string[], type: string): Promise<readonly JsonObject[]> {
  try {
    const { client, namespace } = await clientOf(context, words);
    const resource = findTyped(await discover(client), type);
    return resource ? itemsOf(await client.read('GET', pathOf(resource, namespace), { query: { limit: '200' } })) : [];
  } catch {
    // As above.
    return [];
  }
}

/** What the server tells of the fields of a type. */
export async function schemasFor(
  context: CompletionContext,
  words: readonly string[],
  type: string,
): Promise<{ readonly resource: KnownResource; readonly schemas: Schemas } | undefined> {
  try {
    const { client } = await clientOf(context, words);
    const resource = findTyped(await discover(client), type);
    const schemas = resource && (await readSchemas(client, resource));
    return schemas && { resource, schemas };
  } catch {
    // As above.
    return undefined;
  }
}
