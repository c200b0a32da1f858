import { isLabelValue, type JsonObject } from '../../../meta/index.ts';
import { createMergePatch } from '../../../patch/index.ts';
import { bool, text } from '../../parse/flags.ts';
import { createPrinter, type DryRun, parseDryRun, withDryRun } from '../../printers/printer.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError, throwAggregated } from '../../program/errors.ts';
import { dryRunFlag, fileFlags, managerFlag, outputFlags, recordFlag, selectorFlag } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { withChangeCause } from '../../resources/change-cause.ts';
import { patchObject } from '../../resources/changes.ts';
import { type Info, metadataOf, setMetadata, textsOf } from '../../resources/info.ts';
import { requestFromFlags } from '../../resources/requests.ts';

interface MetadataField {
  readonly member: 'labels' | 'annotations';
  /** `label`, `annotation`. */
  readonly noun: string;
  readonly done: string;
  readonly undone: string;
}

const labels: MetadataField = { member: 'labels', noun: 'label', done: 'labeled', undone: 'unlabeled' };
const annotations: MetadataField = { member: 'annotations', noun: 'annotation', done: 'annotated', undone: 'annotated' };

const flags = {
  ...dryRunFlag,
  ...fileFlags,
  ...outputFlags,
  ...selectorFlag,
  ...recordFlag,
  all: bool(),
  'all-namespaces': bool(false, 'A'),
  'field-selector': text(),
  list: bool(),
  local: bool(),
  overwrite: bool(),
  'resource-version': text(),
};

export const label: Command = { flags: { ...flags, ...managerFlag('kubectl-label') }, run: (call) => run(call, labels) };
export const annotate: Command = { flags: { ...flags, ...managerFlag('kubectl-annotate') }, run: (call) => run(call, annotations) };

async function run(call: Call, field: MetadataField): Promise<number> {
  const { flags } = call;
  const isLabel = field.member === 'labels';
  const dryRun = parseDryRun(call);
  // kubectl label creates its printer for each object, since the operation depends on the change.
  if (!isLabel) await createPrinter(call, { operation: field.done });
  const { words, changes, removals } = parseArguments(call, field);
  if (isLabel && flags.bool('list') && flags.text('output') !== '')
    throw new KubectlError('--list and --output may not be specified together');
  if (flags.bool('all') && flags.text('selector') !== '') throw new KubectlError('cannot set --all and --selector at the same time');
  if (flags.bool('all') && flags.text('field-selector') !== '')
    throw new KubectlError('cannot set --all and --field-selector at the same time');
  requireTargets(call, words, { dryRun, manifest: isLabel ? 'pod' : 'rsrc' });
  if (changes.size + removals.length === 0 && !flags.bool('list')) throw new KubectlError(`at least one ${field.noun} update is required`);
  if (!isLabel) requireDisjoint(changes, removals);
  const isLocal = flags.bool('local');
  const selection = isLocal ? { selector: '', fieldSelector: '', allNamespaces: false } : { latest: true };
  const request = await requestFromFlags(call, {
    words,
    ...selection,
    continueOnError: true,
    local: isLocal,
    all: false,
    typeMeansAll: flags.bool('all'),
  });
  const builder = new Builder(call, request);
  if (flags.text('resource-version') !== '') {
    await builder.infos();
    if (!builder.singleItem) throw new KubectlError('--resource-version may only be used with a single resource');
  }
  await builder.visit((info) => updateOne(call, info, { field, wanted: { changes, removals }, single: builder.singleItem }));
  return 0;
}

/** `manifest` is the file name of the examples in messages. @throws KubectlError */
function requireTargets(
  { flags }: Call,
  words: readonly string[],
  { dryRun, manifest }: { readonly dryRun: DryRun; readonly manifest: string },
): void {
  const hasFiles = flags.list('filename').length > 0 || flags.text('kustomize') !== '';
  if (!flags.bool('local')) {
    if (words.length > 0 || hasFiles) return;
    throw new KubectlError('one or more resources must be specified as <resource> <name> or <resource>/<name>');
  }
  const example = `-f ${manifest}.yaml or --filename=${manifest}.json`;
  if (dryRun === 'server') throw new KubectlError('cannot specify --local and --dry-run=server - did you mean --dry-run=client?');
  if (words.length > 0) throw new KubectlError(`can only use local files by ${example} when --local=true is set`);
  if (!hasFiles) throw new KubectlError(`one or more files must be specified as ${example}`);
}

interface MetadataChanges {
  readonly changes: ReadonlyMap<string, string>;
  readonly removals: readonly string[];
}

/** Arguments before the first `key=value` or `key-` name resources. @throws KubectlError */
function parseArguments(call: Call, field: MetadataField): MetadataChanges & { readonly words: readonly string[] } {
  const isPair = (word: string): boolean => (word.includes('=') && !word.startsWith('=')) || (word.endsWith('-') && word !== '-');
  const first = call.words.findIndex(isPair);
  const words = first < 0 ? call.words : call.words.slice(0, first);
  const pairs = first < 0 ? [] : call.words.slice(first);
  const misplaced = pairs.find((word) => !isPair(word));
  if (misplaced !== undefined) throw new KubectlError(`all resources must be specified before ${field.noun} changes: ${misplaced}`);
  const changes = new Map<string, string>();
  const removals: string[] = [];
  for (const pair of pairs) {
    const cut = pair.indexOf('=');
    if (cut > 0) {
      const [key, value] = [pair.slice(0, cut), pair.slice(cut + 1)];
      if (field.member === 'labels') checkLabelValue(key, value);
      changes.set(key, value);
    } else removals.push(pair.slice(0, -1));
  }
  if (field.member === 'labels' && removals.some((key) => changes.has(key)))
    throw new KubectlError('can not both modify and remove a label in the same command');
  return { words, changes, removals };
}

/** @throws KubectlError */
function checkLabelValue(key: string, value: string): void {
  if (value.includes('=')) throw new KubectlError(`invalid label spec: ${key}=${value}`);
  const problems = isLabelValue(value);
  if (problems.length > 0) throw new KubectlError(`invalid label value: ${JSON.stringify(`${key}=${value}`)}: ${problems.join(';')}`);
}

/** @throws KubectlError */
function requireDisjoint(changes: ReadonlyMap<string, string>, removals: readonly string[]): void {
  const both = removals.filter((key) => changes.has(key));
  if (both.length > 0)
    throw new KubectlError(`can not both modify and remove the following annotation(s) in the same command: ${both.join(', ')}`);
}

function printMetadata({ out }: Call, { resource, name }: Info, values: Readonly<Record<string, string>>, { field, single }: Update): void {
  if (!single) out(`Listing ${field.member} for ${resource.kind}.${resource.group}/${name}:\n`);
  for (const key of Object.keys(values)) out(`${single ? '' : ' '}${key}=${values[key]}\n`);
}

interface Update {
  readonly field: MetadataField;
  readonly wanted: MetadataChanges;
  /** A single object was requested. */
  readonly single: boolean;
}

async function updateOne(call: Call, info: Info, update: Update): Promise<void> {
  const { flags, out } = call;
  const { field, wanted } = update;
  const dryRun = parseDryRun(call);
  const isLocal = dryRun === 'client' || flags.bool('local') || flags.bool('list');
  const version = flags.text('resource-version');
  // The patch then has the version.
  const before = version === '' ? (info.object ?? {}) : setMetadata(info.object ?? {}, { resourceVersion: undefined });
  const known = textsOf(metadataOf(before)[field.member]);
  const unknown = field.member === 'labels' && !isLocal ? wanted.removals.filter((key) => !Object.hasOwn(known, key)) : [];
  for (const key of unknown) out(`${field.noun} ${JSON.stringify(key)} not found.\n`);
  if (!flags.bool('overwrite')) checkOverwrite(known, wanted, field);
  const values = Object.fromEntries(
    Object.entries({ ...known, ...Object.fromEntries(wanted.changes) }).filter(([key]) => !wanted.removals.includes(key)),
  );
  if (flags.bool('list')) return printMetadata(call, info, values, update);
  const changed = setMetadata(before, { [field.member]: values, ...(version === '' ? {} : { resourceVersion: version }) });
  const after = isLocal ? changed : withChangeCause(call, changed);
  const operation = withDryRun(operationText(call, before, after, field), dryRun);
  const printer = await createPrinter(call, { operation });
  const answer = isLocal ? after : await sendChange(call, info, createMergePatch(before, after));
  // kubectl label prints the object as it was sent.
  out(printer(field.member === 'labels' ? after : answer));
}

function sendChange(call: Call, info: Info, patch: JsonObject): Promise<JsonObject> {
  return patchObject(call, info, 'merge', JSON.stringify(patch), {
    manager: call.flags.text('field-manager'),
    dryRun: parseDryRun(call),
  });
}

/** Cf. kubectl updateDataChangeMsg: a shorter object counts as unlabeled; annotations always count as changed. */
function operationText({ flags }: Call, before: JsonObject, after: JsonObject, { member, done, undone }: MetadataField): string {
  const [from, to] = [JSON.stringify(before), JSON.stringify(after)];
  if (member === 'labels' && from === to) return `not ${done}`;
  return to.length < from.length && !flags.bool('overwrite') ? undone : done;
}

/** The annotation that may always be overwritten. */
const changeCause = 'kubernetes.io/change-cause';

function checkOverwrite(known: Readonly<Record<string, string>>, { changes }: MetadataChanges, { member }: MetadataField): void {
  const texts = [...changes]
    .filter(([key, value]) => Object.hasOwn(known, key) && known[key] !== value && (member === 'labels' || key !== changeCause))
    .map(([key]) => `'${key}' already has a value (${known[key]})`);
  if (texts.length === 0) return;
  if (member === 'annotations')
    throw new KubectlError(`--overwrite is false but found the following declared annotation(s): ${texts.join('; ')}`);
  throwAggregated(texts.map((text) => new KubectlError(`${text}, and --overwrite is false`)));
}
