import { isJsonObject, type Json, type JsonObject, objectsAt } from '../../../meta/index.ts';
import { createMergePatch, createStrategicPatch } from '../../../patch/index.ts';
import { formatGroupVersion } from '../../api/discovery.ts';
import { bool, type FlagSpecs } from '../../parse/flags.ts';
import { createPrinter, type Printer, parseDryRun, withDryRun } from '../../printers/printer.ts';
import type { Call } from '../../program/command.ts';
import { KubectlError, messageOf, throwAggregated } from '../../program/errors.ts';
import { dryRunFlag, fileFlags, outputFlags, selectorFlag } from '../../program/global-flags.ts';
import { Builder, localUsageMessage } from '../../resources/builder.ts';
import { withChangeCause } from '../../resources/change-cause.ts';
import { patchObject } from '../../resources/changes.ts';
import { decodeTyped } from '../../resources/decode-object.ts';
import type { Info } from '../../resources/info.ts';
import { requestFromFlags } from '../../resources/requests.ts';
import { schemaOf } from '../../resources/schema-of.ts';

export const targetFlags: FlagSpecs = { ...dryRunFlag, ...fileFlags, ...outputFlags, all: bool(), local: bool() };
export const setFlags: FlagSpecs = { ...targetFlags, ...selectorFlag };

/** The path of a kind's pod spec. */
function podSpecPath({ resource }: Info): readonly string[] | undefined {
  switch (`${resource.group}/${resource.name}`) {
    case '/pods':
      return ['spec'];
    case 'batch/cronjobs':
      return ['spec', 'jobTemplate', 'spec', 'template', 'spec'];
    case '/replicationcontrollers':
    case 'apps/deployments':
    case 'apps/replicasets':
    case 'apps/statefulsets':
    case 'apps/daemonsets':
    case 'batch/jobs':
      return ['spec', 'template', 'spec'];
    case '/podtemplates':
      return ['template', 'spec'];
    default:
      return undefined;
  }
}

/** Returns a copy of the object with a changed pod spec. @throws KubectlError for kinds without one */
export function changePodSpec(info: Info, change: (spec: JsonObject) => JsonObject): JsonObject {
  const path = podSpecPath(info);
  if (!path)
    throw targetError(info, `the object is not a pod or does not have a pod template: *${info.resource.version}.${info.resource.kind}`);
  const at = (value: Json | undefined, [name, ...rest]: readonly string[]): JsonObject => {
    const object = isJsonObject(value) ? value : {};
    return name === undefined ? change(object) : { ...object, [name]: at(object[name], rest) };
  };
  return at(info.object, path);
}

/** A failure with one of the objects. kubectl prints it with an empty line. */
export function targetError(info: Info, message: string): KubectlError {
  return new KubectlError(`error: ${objectName(info)} ${message}\n`);
}

/** Cf. cli-runtime Info.ObjectName, which ends with a newline for kinds of groups that are not from discovery. */
function objectName({ resource, name }: Info): string {
  if (!resource.guessed) return `${resource.name}/${name}`;
  return resource.group === '' ? `${resource.singular}/${name}` : `${resource.singular}.${resource.group}/${name}\n`;
}

function containersOf(spec: JsonObject, member = 'containers'): readonly JsonObject[] {
  return objectsAt(spec, member);
}

/** Changes the containers, and the init containers, that `selected` accepts. */
export function changeContainers(
  spec: JsonObject,
  selected: (name: string) => boolean,
  change: (container: JsonObject) => JsonObject,
): JsonObject {
  const update = (container: JsonObject): JsonObject => (selected(String(container['name'])) ? change(container) : container);
  const containers = containersOf(spec).map(update);
  const initial = containersOf(spec, 'initContainers').map(update);
  return { ...spec, containers, ...(initial.length > 0 ? { initContainers: initial } : {}) };
}

/**
 * The resources named by the arguments (without changes) and flags, read from the server, or with `--local` from the files alone.
 * @throws KubectlError when one is missing
 */
export async function selectTargets(call: Call, words: readonly string[]): Promise<readonly Info[]> {
  const { flags } = call;
  const local = flags.bool('local');
  const selection = local ? { words: [], local, selector: '' } : { words, latest: true, typeMeansAll: flags.bool('all') };
  const builder = new Builder(call, await requestFromFlags(call, { ...selection, all: false, continueOnError: true, typed: true }));
  const { infos, error } = await builder.infos();
  if (error !== undefined) throw error;
  return infos;
}

/** With `--local`, objects come from files alone. @throws KubectlError */
export function requireNoLocalResources({ flags }: Call, words: readonly string[]): void {
  if (flags.bool('local') && words.length > 0) throw new KubectlError(localUsageMessage);
}

/** @throws KubectlError */
export function requireNoLocalServerDryRun({ flags }: Call): void {
  if (flags.bool('local') && flags.text('dry-run') === 'server')
    throw new KubectlError('cannot specify --local and --dry-run=server - did you mean --dry-run=client?');
}

/** @throws KubectlError */
export function requireNoSelectorOfAll({ flags }: Call): void {
  if (flags.bool('all') && flags.text('selector') !== '') throw new KubectlError('cannot set --all and --selector at the same time');
}

export interface Change {
  readonly operation: string;
  /** Prefix of the server's error; undefined leaves the error as it is. */
  readonly failure?: string;
  /** Sends and prints an object without a change, too. */
  readonly always?: boolean;
}

/** The printer of a command of `kubectl set`. @throws KubectlError */
export function createChangePrinter(call: Call, { operation }: Change): Promise<Printer> {
  return createPrinter(call, { operation: withDryRun(operation, parseDryRun(call)), typed: true });
}

/** Returns the changed object; undefined: nothing is sent. Failures that do not prevent it are collected in `errors`. */
export type ComputeChange = (info: Info, errors: unknown[]) => Promise<JsonObject | undefined> | JsonObject | undefined;

/**
 * Computes the changes of all objects, sends the differences and prints the results; nothing where there is no difference.
 * Cf. kubectl cmd/set CalculatePatches. @throws KubectlError, AggregatedErrors with all failures
 */
export async function changeTargets(call: Call, infos: readonly Info[], compute: ComputeChange, change: Change): Promise<void> {
  const errors: unknown[] = [];
  const print = await createChangePrinter(call, change);
  const changed: (readonly [info: Info, after: JsonObject | undefined, error?: unknown])[] = [];
  for (const info of infos) {
    try {
      const after = await compute(info, errors);
      if (after) changed.push([info, after]);
    } catch (error) {
      changed.push([info, undefined, error]);
    }
  }
  for (const [info, after, error] of changed) {
    if (after) await sendChange(call, info, after, { ...change, print }).catch((failure: unknown) => errors.push(failure));
    else errors.push(error);
  }
  throwAggregated(errors);
}

async function sendChange(
  call: Call,
  info: Info,
  wanted: JsonObject,
  { failure, always = false, print }: Change & { readonly print: Printer },
): Promise<void> {
  const { flags, out, product } = call;
  const before = info.object ?? {};
  const typed = (object: JsonObject): JsonObject => decodeTyped(product, formatGroupVersion(info.resource), info.resource.kind, object);
  const after = typed(withChangeCause(call, wanted));
  const dryRun = parseDryRun(call);
  const schema = schemaOf(product, info.resource);
  const patch = schema ? createStrategicPatch(before, after, schema) : createMergePatch(before, after);
  if (!always && Object.keys(patch).length === 0) return;
  if (flags.bool('local') || dryRun === 'client') return out(print(after));
  const options = { manager: flags.text('field-manager'), dryRun };
  try {
    out(print(typed(await patchObject(call, info, schema ? 'strategic' : 'merge', JSON.stringify(patch), options))));
  } catch (error) {
    throw failure === undefined ? error : new KubectlError(`${failure}${messageOf(error)}`);
  }
}
