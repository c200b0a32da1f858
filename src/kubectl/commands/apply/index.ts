import type { JsonObject } from '../../../meta/index.ts';
import { array, bool, duration, int, optional, text } from '../../parse/flags.ts';
import { createPrinter, type DryRun, formatPrinter, outputFormat, parseDryRun, withDryRun } from '../../printers/printer.ts';
import { type Call, type Command, type Subcommand, usageError } from '../../program/command.ts';
import { KubectlError, throwCollected } from '../../program/errors.ts';
import { dryRunFlag, fileFlags, outputFlags, recordFlag, selectorFlag, validateFlag } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { withChangeCause } from '../../resources/change-cause.ts';
import { parseValidation } from '../../resources/changes.ts';
import { type Info, metadataOf } from '../../resources/info.ts';
import { requestFromFlags, requireFiles } from '../../resources/requests.ts';
import { parseCascade } from '../changes/delete.ts';
import { applyClientSide } from './client-side.ts';
import { applyServerSide } from './server-side.ts';

export interface ApplyOptions {
  readonly dryRun: DryRun;
  readonly validation: string;
  readonly manager: string;
  readonly force: boolean;
}

/** The operation and the resulting object. */
export interface ApplyResult {
  readonly object: JsonObject;
  readonly operation: 'created' | 'configured' | 'unchanged' | 'serverside-applied';
}

const loadLastAppliedCommands = (): Promise<typeof import('./last-applied.ts')> => import('./last-applied.ts');

function createSubcommand(about: string, load: () => Promise<Command>): Subcommand {
  return { about, load };
}

export const apply: Command = {
  flags: {
    ...dryRunFlag,
    ...fileFlags,
    ...outputFlags,
    ...selectorFlag,
    ...validateFlag,
    ...recordFlag,
    all: bool(),
    applyset: { ...text(), hidden: true },
    cascade: optional('background', 'background'),
    'field-manager': text('kubectl-client-side-apply'),
    force: bool(),
    'force-conflicts': bool(),
    'grace-period': int(-1),
    'openapi-patch': bool(true),
    overwrite: bool(true),
    prune: bool(),
    'prune-allowlist': array(),
    'server-side': bool(),
    subresource: text(),
    timeout: duration(),
    wait: bool(),
  },
  subcommands: {
    'edit-last-applied': createSubcommand(
      'Edit latest last-applied-configuration annotations of a resource/object',
      async () => (await loadLastAppliedCommands()).editLastApplied,
    ),
    'set-last-applied': createSubcommand(
      'Set the last-applied-configuration annotation on a live object to match the contents of a file',
      async () => (await loadLastAppliedCommands()).setLastApplied,
    ),
    'view-last-applied': createSubcommand(
      'View the latest last-applied-configuration annotations of a resource/object',
      async () => (await loadLastAppliedCommands()).viewLastApplied,
    ),
  },
  run: runApply,
};

async function runApply(call: Call): Promise<number> {
  const { flags, words, out } = call;
  // The flag of a feature that is off by default.
  if (flags.changed('applyset') && call.environment.get('KUBECTL_APPLYSET') !== 'true')
    throw new KubectlError("unknown flag: --applyset\nSee 'kubectl apply --help' for usage.");
  if (words.length > 0) throw usageError(call, `Unexpected args: [${words.join(' ')}]`);
  const options = await readOptions(call);
  const allowed = flags.bool('prune') ? await (await import('./prune.ts')).readAllowlist(call) : [];
  validate(call, options);
  const prune = flags.bool('prune') ? await (await import('./prune.ts')).createPruner(call, options, allowed) : undefined;
  if (flags.text('subresource') !== '' && !flags.bool('server-side'))
    throw new KubectlError('--subresource can only be specified for --server-side');
  const builder = new Builder(call, await requestFromFlags(call, { continueOnError: true, all: false, validate: options.validation }));
  const { infos: selected, error } = await builder.infos();
  const infos = selected.map((info) => ({ ...info, object: withChangeCause(call, info.object ?? {}) }));
  const errors: unknown[] = error === undefined ? [] : [error];
  if (infos.length === 0 && errors.length === 0) throw new KubectlError('no objects passed to apply');
  await prune?.beforeApply(infos);
  const printResult = await createResultPrinter(call, options.dryRun);
  const objects: JsonObject[] = [];
  for (const info of infos) {
    try {
      const applied = await applyOne(call, info, options);
      objects.push(applied.object);
      await printResult?.(applied.object, applied.operation);
    } catch (failure) {
      errors.push(failure);
    }
  }
  throwCollected(errors);
  if (!printResult) out(await printAll(call, objects));
  await prune?.afterApply(infos);
  return 0;
}

async function applyOne(call: Call, info: Info, options: ApplyOptions): Promise<ApplyResult> {
  const generated = metadataOf(info.object)['generateName'];
  if (info.name === '' && typeof generated === 'string' && generated !== '')
    throw new KubectlError(`from ${generated}: cannot use generate name with apply`);
  return call.flags.bool('server-side') ? applyServerSide(call, info, options) : applyClientSide(call, info, options);
}

/** @throws KubectlError */
async function readOptions(call: Call): Promise<ApplyOptions> {
  const { flags } = call;
  const dryRun = parseDryRun(call);
  await call.cluster();
  parseCascade(call);
  requireFiles(call);
  const manager = flags.changed('field-manager') || !flags.bool('server-side') ? flags.text('field-manager') : 'kubectl';
  return { dryRun, validation: parseValidation(call), manager, force: flags.bool('force-conflicts') };
}

/** @throws KubectlError when flags contradict each other */
function validate({ flags }: Call, { dryRun }: ApplyOptions): void {
  const server = flags.bool('server-side');
  if (flags.bool('force-conflicts') && !server) throw new KubectlError('--force-conflicts only works with --server-side');
  if (dryRun === 'client' && server)
    throw new KubectlError("--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)");
  if (flags.bool('force') && server) throw new KubectlError('--force cannot be used with --server-side');
  if (flags.bool('force') && dryRun === 'server') throw new KubectlError('--dry-run=server cannot be used with --force');
  if (flags.bool('all') && flags.text('selector') !== '') throw new KubectlError('cannot set --all and --selector at the same time');
  if (flags.text('applyset') !== '' && !flags.bool('prune')) throw new KubectlError('--applyset requires --prune');
}

/**
 * Prints each object at once, without -o by its operation or a template, whose errors then are those of each object; undefined when a format
 * prints all objects at the end.
 */
async function createResultPrinter(call: Call, dryRun: DryRun): Promise<((object: JsonObject, done: string) => Promise<void>) | undefined> {
  const output = call.flags.text('output');
  if (output === '') return async (object, done) => call.out((await createPrinter(call, { operation: withDryRun(done, dryRun) }))(object));
  const print = await createPrinter(call, { operation: '' });
  return output === 'name' ? async (object) => call.out(print(object)) : undefined;
}

async function printAll(call: Call, objects: readonly JsonObject[]): Promise<string> {
  const printer = await formatPrinter(call, outputFormat(call));
  const [only] = objects;
  if (!printer || !only) return '';
  return printer(objects.length === 1 ? only : { apiVersion: 'v1', items: objects, kind: 'List', metadata: {} });
}
