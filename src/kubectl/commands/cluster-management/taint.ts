import { isLabelValue, isQualifiedName, type JsonObject, objectsAt } from '../../../meta/index.ts';
import { bool } from '../../parse/flags.ts';
import { createPrinter, parseDryRun } from '../../printers/printer.ts';
import { type Call, type Command, usageError } from '../../program/command.ts';
import { KubectlError, NoMatchError, PlainError } from '../../program/errors.ts';
import { dryRunFlag, managerFlag, outputFlags, selectorFlag, validateFlag } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { parseValidation, patchObject } from '../../resources/changes.ts';
import type { Info } from '../../resources/info.ts';
import { requestFromFlags } from '../../resources/requests.ts';

interface Taint {
  readonly key: string;
  readonly value: string;
  /** Empty matches any effect. */
  readonly effect: string;
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export const taint: Command = {
  flags: {
    ...dryRunFlag,
    ...outputFlags,
    ...selectorFlag,
    ...validateFlag,
    ...managerFlag('kubectl-taint'),
    all: bool(),
    overwrite: bool(),
  },
  run: runTaint,
};

async function runTaint(call: Call): Promise<number> {
  const { words, flags } = call;
  await call.namespace();
  await call.cluster();
  parseDryRun(call);
  parseValidation(call);
  const isTaint = (word: string): boolean => word.includes('=') || word.includes(':') || word.endsWith('-');
  const first = words.findIndex(isTaint);
  const [resources, specs] = first < 0 ? [words, []] : [words.slice(0, first), words.slice(first)];
  const misplaced = specs.find((word) => !isTaint(word));
  if (misplaced !== undefined) throw new KubectlError(`all resources must be specified before taint changes: ${misplaced}`);
  if (resources.length === 0) throw new KubectlError('one or more resources must be specified as <resource> <name>');
  if (specs.length === 0) throw new KubectlError('at least one taint update is required');
  const { added, removed } = readTaints(call, specs);
  await requireNodes(call, (resources[0] ?? '').toLowerCase());
  validateTaints(call, added, removed);
  const selects = flags.bool('all') || flags.text('selector') !== '';
  if (resources.length === 1 && !selects)
    throw new KubectlError("at least one resource name must be specified since 'all' parameter is not set");
  const selection = selects ? { words: ['node'] } : { words: resources.slice(1), defaultType: 'node' };
  const builder = new Builder(call, await requestFromFlags(call, { ...selection, continueOnError: true, latest: true }));
  await builder.visit((info) => taintOne(call, info, added, removed));
  return 0;
}

/** @throws KubectlError for another type */
async function requireNodes(call: Call, type: string): Promise<void> {
  const resource = await (await call.cluster()).resourceFor(type, 2).catch((error: unknown) => {
    if (!(error instanceof NoMatchError)) throw error;
    throw new PlainError(error.message);
  });
  if (resource.kind !== 'Node') throw new KubectlError(`invalid resource type ${type}, only node types are supported`);
}

/** @throws KubectlError */
function validateTaints(call: Call, added: readonly Taint[], removed: readonly Taint[]): void {
  const { flags } = call;
  const both = removed.filter(({ key, effect }) => added.some((one) => one.key === key && (effect === '' || one.effect === effect)));
  const shown = both.map(({ key, effect }) => `${key}=${effect}`).join(', ');
  if (both.length > 0) throw new KubectlError(`can not both modify and remove the following taint(s) in the same command: ${shown}`);
  if (flags.bool('all') && flags.text('selector') !== '')
    throw new KubectlError("setting 'all' parameter with a non empty selector is prohibited");
}

/** @throws KubectlError */
function readTaints(call: Call, words: readonly string[]): { added: Taint[]; removed: Taint[] } {
  const added: Taint[] = [];
  const removed: Taint[] = [];
  for (const word of words) {
    const removes = word.endsWith('-');
    const taint = parseTaint(call, removes ? word.slice(0, -1) : word);
    if (removes) {
      removed.push(taint);
      continue;
    }
    const { key, value, effect } = taint;
    if (effect === '') throw usageError(call, `invalid taint spec: ${word}`);
    if (added.some((one) => one.key === key && one.effect === effect))
      throw usageError(call, `duplicated taints with the same key and effect: {${key} ${value} ${effect} <nil>}`);
    added.push(taint);
  }
  return { added, removed };
}

/** Parses `key=value:Effect`, `key:Effect` and `key`. @throws KubectlError */
function parseTaint(call: Call, spec: string): Taint {
  const [first = '', effect = '', ...more] = spec.split(':');
  if (more.length > 0) throw usageError(call, `invalid taint spec: ${spec}`);
  const hasEffect = spec.includes(':');
  if (hasEffect && !effects.includes(effect)) throw usageError(call, `invalid taint effect: ${effect}, unsupported taint effect`);
  const [key = '', value = '', ...rest] = hasEffect ? first.split('=') : [first];
  if (rest.length > 0) throw usageError(call, `invalid taint spec: ${spec}`);
  const problems = [isLabelValue(value), isQualifiedName(key)].find((found) => found.length > 0);
  if (problems) throw usageError(call, `invalid taint spec: ${spec}, ${problems.join('; ')}`);
  return { key, value, effect };
}

async function taintOne(call: Call, info: Info, added: readonly Taint[], removed: readonly Taint[]): Promise<void> {
  const { flags } = call;
  const dryRun = parseDryRun(call);
  const spec = (info.object?.['spec'] ?? {}) as JsonObject;
  const before = objectsAt(spec, 'taints');
  const sameAs = (one: JsonObject, { key, effect }: Taint): boolean => one['key'] === key && (effect === '' || one['effect'] === effect);
  const taken = added.filter((taint) => before.some((one) => sameAs(one, taint)));
  if (taken.length > 0 && !flags.bool('overwrite')) {
    throw new KubectlError(
      `node ${info.name} already has ${taken.map(({ key }) => key).join(',')} taint(s) with same effect(s) and --overwrite is false`,
    );
  }
  for (const taint of removed) {
    if (before.some((one) => sameAs(one, taint))) continue;
    throw new KubectlError(`taint ${JSON.stringify(taint.effect === '' ? taint.key : `${taint.key}:${taint.effect}`)} not found`);
  }
  const remaining = before.filter((one) => ![...added, ...removed].some((taint) => sameAs(one, taint)));
  const fresh = added.map(({ key, value, effect }) => ({ key, ...(value === '' ? {} : { value }), effect }));
  const taints = [...fresh, ...remaining];
  const operation = added.length === 0 ? 'untainted' : taken.length > 0 || removed.length > 0 ? 'modified' : 'tainted';
  const body = JSON.stringify({ spec: { taints: taints.length > 0 ? taints : null } });
  const object =
    dryRun === 'client'
      ? { ...info.object, spec: { ...spec, taints } }
      : await patchObject(call, info, 'merge', body, { manager: flags.text('field-manager'), dryRun });
  // kubectl prints the same with --dry-run.
  call.out((await createPrinter(call, { operation }))(object));
}
