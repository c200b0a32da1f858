import { isLabelValue, type JsonObject } from '../../../meta/index.ts';
import { createMergePatch } from '../../../patch/index.ts';
import { bool, text } from '../../parse/flags.ts';
import { createPrinter, parseDryRun, withDryRun } from '../../printers/printer.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { dryRunFlag, fileFlags, managerFlag, outputFlags, recordFlag, selectorFlag } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { withChangeCause } from '../../resources/change-cause.ts';
import { getObject, patchObject } from '../../resources/changes.ts';
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
  if (flags.bool('list')) {
    const { infos, error } = await builder.infos();
    for (const info of infos) printMetadata(call, info, field, builder.singleItem);
    if (error !== undefined) throw error;
    return 0;
  }
  if (flags.text('resource-version') !== '') {
    const { infos } = await builder.infos();
    if (infos.length > 1) throw new KubectlError('--resource-version may only be used with a single resource');
  }
  await builder.visit((info) => updateOne(call, info, field, { changes, removals }));
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
    if (problems.length > 0) throw new KubectlError(`invalid label value: ${JSON.stringify(`${key}=${value}`)}: ${problems.join('; ')}`);
  }
}

function printMetadata({ out }: Call, { object, resource, name }: Info, { member }: MetadataField, single: boolean): void {
  if (!single) out(`Listing ${member} for ${resource.kind}.${resource.group}/${name}:\n`);
  const values = textsOf(metadataOf(object)[member]);
  for (const key of Object.keys(values)) out(`${single ? '' : ' '}${key}=${values[key]}\n`);
}

async function updateOne(call: Call, info: Info, field: MetadataField, wanted: MetadataChanges): Promise<void> {
  const { flags, out } = call;
  const dryRun = parseDryRun(call);
  const before = info.object ?? {};
  const known = textsOf(metadataOf(before)[field.member]);
  if (!flags.bool('overwrite')) checkOverwrite(known, wanted, field);
  if (field.member === 'labels')
    for (const key of wanted.removals) if (!Object.hasOwn(known, key)) out(`${field.noun} ${JSON.stringify(key)} not found.\n`);
  const values = Object.fromEntries([...Object.entries(known).filter(([key]) => !wanted.removals.includes(key)), ...wanted.changes]);
  const version = flags.text('resource-version');
  const members = {
    [field.member]: Object.keys(values).length > 0 ? values : undefined,
    ...(version === '' ? {} : { resourceVersion: version }),
  };
  const after = withChangeCause(call, setMetadata(before, members));
  const patch = createMergePatch(before, after);
  const changed = Object.keys(patch).length > 0;
  // kubectl adds an empty map where the member is missing and counts that as a change; annotations always count as changed.
  const countsAsChanged = changed || field.member === 'annotations' || metadataOf(before)[field.member] === undefined;
  let shown: JsonObject = after;
  if (dryRun !== 'client' && !flags.bool('local')) {
    const options = { manager: flags.text('field-manager'), dryRun };
    shown = changed ? await patchObject(call, info, 'merge', JSON.stringify(patch), options) : await getObject(call, info);
  }
  const printer = await createPrinter(call, {
    operation: withDryRun(countsAsChanged ? operationText(call, before, after, field) : `not ${field.done}`, dryRun),
  });
  out(printer(shown));
}

/** Cf. kubectl updateDataChangeMsg: a shorter object counts as unlabeled. */
function operationText({ flags }: Call, before: JsonObject, after: JsonObject, { done, undone }: MetadataField): string {
  const shorter = JSON.stringify(after).length < JSON.stringify(before).length;
  return shorter && !flags.bool('overwrite') ? undone : done;
}

function checkOverwrite(known: Readonly<Record<string, string>>, { changes }: MetadataChanges, { noun }: MetadataField): void {
  const errors = [...changes].filter(([key, value]) => Object.hasOwn(known, key) && known[key] !== value);
  if (errors.length === 0) return;
  const texts = errors.map(([key]) =>
    noun === 'label'
      ? `'${key}' already has a value (${known[key]}), and --overwrite is false`
      : `--overwrite is false but found the following declared annotation(s): '${key}' already has a value (${known[key]})`,
  );
  if (noun === 'label') throw new KubectlError(texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`);
  throw new KubectlError(
    `--overwrite is false but found the following declared annotation(s): ${errors.map(([key]) => `'${key}' already has a value (${known[key]})`).join('; ')}`,
  );
}
