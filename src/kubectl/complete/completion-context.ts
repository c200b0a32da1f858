import { type ApiHandler, type JsonObject, type Product, productByName } from '../../meta/index.ts';
import { resolvePath, type Shell } from '../../shell/index.ts';
import { ApiClient } from '../api/client.ts';
import { findResource } from '../api/cluster.ts';
import { type ApiResource, discoverResources, resourcePath } from '../api/discovery.ts';
import { fetchSchemas, type OpenApiSchemas } from '../api/open-api.ts';
import { createConfigAccess } from '../kubeconfig/access.ts';
import { authenticationHeaders, resolveNamespace, resolveTarget } from '../kubeconfig/resolve-target.ts';
import { parseFlags } from '../parse/flags.ts';
import { globalFlags } from '../program/global-flags.ts';
import { itemsOf, nameOf } from '../resources/info.ts';

export interface Candidate {
  readonly text: string;
  /** A description in one line, or empty. */
  readonly about: string;
}

/** Candidates that can replace the text between `from` and the cursor. */
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

/** The candidates of one position. */
export interface CandidateList {
  readonly candidates: readonly Candidate[];
  /** Offset in the current word at which the candidate begins (after `--output=`, `pod/`). */
  readonly offset?: number;
}

export const toCandidates = (texts: readonly string[]): Candidate[] => texts.map((text) => ({ text, about: '' }));

export async function completeFiles({ shell }: CompletionContext, current: string): Promise<CandidateList> {
  const cut = current.lastIndexOf('/') + 1;
  const directory = resolvePath(shell.state.directory, current.slice(0, cut) || '.');
  const found: Candidate[] = [];
  for (const name of await shell.services.files.list(directory)) {
    const kind = await shell.services.files.kind(`${directory}/${name}`);
    found.push({ text: kind === 'directory' ? `${name}/` : name, about: '' });
  }
  return { candidates: found, offset: cut };
}

export async function loadConfig({ shell }: CompletionContext): ReturnType<ReturnType<typeof createConfigAccess>['load']> {
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

async function createClient(context: CompletionContext, words: readonly string[]): Promise<{ client: ApiClient; namespace: string }> {
  const { shell, connect, signal } = context;
  const known = words.filter(
    (word, index) =>
      /^(-n|--namespace|--context|--user|--as)$/.test(word) ||
      /^(-n|--namespace|--context|--user|--as)$/.test(words[index - 1] ?? '') ||
      /^--(namespace|context|user|as)=/.test(word),
  );
  const flags = parseFlags(known, globalFlags);
  const config = await loadConfig(context);
  const target = resolveTarget(config, flags);
  const client = new ApiClient({
    server: target.server,
    handler: connect(new URL(target.server).origin),
    headers: authenticationHeaders(target, flags),
    impersonatedGroups: [],
    clock: shell.services.clock,
    signal,
    timeout: undefined,
    rename: (text) => (context.product ?? productByName('kubernetes')).rename(text),
    onWarning: () => {},
    onRequest: () => {},
  });
  return { client, namespace: resolveNamespace(config, flags) };
}

export async function discoverTypes(context: CompletionContext, words: readonly string[]): Promise<readonly ApiResource[]> {
  try {
    return await discoverResources((await createClient(context, words)).client);
  } catch {
    // Completion never fails: it offers less.
    return [];
  }
}

export async function completeNames(context: CompletionContext, words: readonly string[], type: string): Promise<Candidate[]> {
  const product = context.product ?? productByName('kubernetes');
  try {
    const { client, namespace } = await createClient(context, words);
    const resource = findResource(await discoverResources(client), type);
    if (!resource) return [];
    const accept = `application/json;as=PartialObjectMetadataList;v=v1;g=${product.names.metaGroup},application/json`;
    const list = await client.read('GET', resourcePath(resource, namespace), { accept, query: { limit: '200' } });
    return toCandidates(itemsOf(list).map(nameOf));
  } catch {
    // Access denied or not found: no candidates.
    return [];
  }
}

/** All objects of a type, in the namespace of the command line. */
export async function listObjects(context: CompletionContext, words: readonly string[], type: string): Promise<readonly JsonObject[]> {
  try {
    const { client, namespace } = await createClient(context, words);
    const resource = findResource(await discoverResources(client), type);
    return resource ? itemsOf(await client.read('GET', resourcePath(resource, namespace), { query: { limit: '200' } })) : [];
  } catch {
    // As above.
    return [];
  }
}

/** The schemas of a type's fields. */
export async function fetchTypeSchemas(
  context: CompletionContext,
  words: readonly string[],
  type: string,
): Promise<{ readonly resource: ApiResource; readonly schemas: OpenApiSchemas } | undefined> {
  try {
    const { client } = await createClient(context, words);
    const resource = findResource(await discoverResources(client), type);
    const schemas = resource && (await fetchSchemas(client, resource));
    return schemas && { resource, schemas };
  } catch {
    // As above.
    return undefined;
  }
}
