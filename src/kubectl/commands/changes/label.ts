import { isLabelValue, type JsonObject } from '../../../meta/index.ts';
import { createMergePatch } from '../../../patch/index.ts';
import { bool, text } from '../../parse/flags.ts';
import { createPrinter, parseDryRun, withDryRun } from '../../printers/printer.ts';
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
  const { words, changes, removals } = parseArguments(call, field);
  const named = call.flags.list('filename').length > 0 || call.flags.text('kustomize') !== '';
  if (words.length === 0 && !named)
    throw new KubectlError('one or more resources must be specified as <resource> <name> or <resource>/<name>');
  if (changes.size + removals.length === 0 && !call.flags.bool('list'))
    throw new KubectlError(`at least one ${field.noun} update is required`);
  checkValues(changes, field);
  const { flags } = call;
  if (flags.bool('all') && flags.text('selector') !== '') throw new KubectlError('cannot set --all and --selector at the same time');
  if (flags.bool('all') && flags.text('field-selector') !== '')
    throw new KubectlError('cannot set --all and --field-selector at the same time');
  const request = await requestFromFlags(call, {
    words,
    latest: !call.flags.bool('local'),
    continueOnError: true,
    local: call.flags.bool('local'),
  });
  const builder = new Builder(call, request);
  if (flags.bool('list') && flags.text('output') !== '') throw new KubectlError('--list and --output may not be specified together');
  if (flags.text('resource-version') !== '') {
    await builder.infos();
    if (!builder.singleItem) throw new KubectlError('--resource-version may only be used with a single resource');
  }
  await builder.visit((info) => updateOne(call, info, { field, wanted: { changes, removals }, single: builder.singleItem }));
  return 0;
}

interface MetadataChanges {
  readonly changes: ReadonlyMap<string, string>;
  readonly removals: readonly string[];
}

/** Arguments before the first `key=value` or `key-` name resources. @throws KubectlError */
function parseArguments(call: Call, field: MetadataField): MetadataChanges & { readonly words: readonly string[] } {
  const isPair = (word: string): boolean =>
    (word.includes('=') && !word.startsWith('=')) ||
    (word.endsWith('-') && word !== '-' && !word.includes('/')) ||
    /^[^=]+\/[^=]+-$/.test(word);
  const first = call.words.findIndex(isPair);
  const words = first < 0 ? call.words : call.words.slice(0, first);
  const changes = new Map<string, string>();
  const removals: string[] = [];
  for (const pair of first < 0 ? [] : call.words.slice(first)) {
    const cut = pair.indexOf('=');
    if (cut > 0) changes.set(pair.slice(0, cut), pair.slice(cut + 1));
    else if (pair.endsWith('-')) removals.push(pair.slice(0, -1));
    else throw new KubectlError(`all resources must be specified before ${field.noun} changes: ${pair}`);
  }
  const both = removals.filter((key) => changes.has(key)).sort();
  if (both.length > 0) {
    const noun = field.member === 'labels' ? 'a label' : `the following annotation(s)`;
    const which = field.member === 'labels' ? '' : `: ${both.join(', ')}`;
    throw new KubectlError(`can not both modify and remove ${noun} in the same command${which}`);
  }
  return { words, changes, removals };
}

function checkValues(changes: ReadonlyMap<string, string>, { member }: MetadataField): void {
  if (member !== 'labels') return;
  for (const [key, value] of changes) {
    if (value.includes('=')) throw new KubectlError(`invalid label spec: ${key}=${value}`);
    const problems = isLabelValue(value);
    if (problems.length > 0) throw new KubectlError(`invalid label value: ${JSON.stringify(`${key}=${value}`)}: ${problems.join(';')}`);
  }
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
