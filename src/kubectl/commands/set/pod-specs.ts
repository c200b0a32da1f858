import { isJsonObject, type Json, type JsonObject, objectsAt } from '../../../meta/index.ts';
import { createMergePatch, createStrategicPatch } from '../../../patch/index.ts';
import { bool, type FlagSpecs } from '../../parse/flags.ts';
import { createPrinter, type DryRun, parseDryRun, withDryRun } from '../../printers/printer.ts';
import type { Call } from '../../program/command.ts';
import { KubectlError, messageOf, throwCollected } from '../../program/errors.ts';
import { dryRunFlag, fileFlags, outputFlags, selectorFlag } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { withChangeCause } from '../../resources/change-cause.ts';
import { patchObject } from '../../resources/changes.ts';
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
export function targetError({ resource, name }: Info, message: string): KubectlError {
  return new KubectlError(`error: ${resource.name}/${name} ${message}\n`);
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
  const initial = containersOf(spec, 'initContainers').map(update);
  return { ...spec, containers: containersOf(spec).map(update), ...(initial.length > 0 ? { initContainers: initial } : {}) };
}

/** The resources named by the arguments (without changes) and flags, read from the server. @throws KubectlError when one is missing */
export async function selectTargets(call: Call, words: readonly string[]): Promise<readonly Info[]> {
  const local = call.flags.bool('local');
  const builder = new Builder(call, await requestFromFlags(call, { words, continueOnError: true, latest: !local, local, typed: true }));
  const { infos, error } = await builder.infos();
  if (error !== undefined) throw error;
  return infos;
}

/** @throws KubectlError when flags contradict each other */
export function validateTargetFlags({ flags }: Call): void {
  if (flags.bool('local') && flags.text('dry-run') === 'server')
    throw new KubectlError('cannot specify --local and --dry-run=server - did you mean --dry-run=client?');
  if (flags.bool('all') && flags.text('selector') !== '') throw new KubectlError('cannot set --all and --selector at the same time');
}

/** Calls `act` for each; throws all failures together at the end. @throws KubectlError, AggregatedErrors */
export async function forEachTarget(infos: readonly Info[], act: (info: Info) => Promise<void> | void): Promise<void> {
  const errors: unknown[] = [];
  for (const info of infos) {
    try {
      await act(info);
    } catch (error) {
      errors.push(error);
    }
  }
  throwCollected(errors);
}

export interface Change {
  readonly operation: string;
  /** Prefix of the server's error; undefined leaves the error as it is. */
  readonly failure?: string;
  /** Sends and prints an object without a change, too. */
  readonly always?: boolean;
}

/** Sends the difference and prints the result; nothing when there is no difference. */
export async function sendChange(
  call: Call,
  info: Info,
  wanted: JsonObject,
  { operation, failure, always = false }: Change,
): Promise<void> {
  const { flags, out } = call;
  const before = info.object ?? {};
  const after = withChangeCause(call, wanted);
  const local = flags.bool('local');
  const dryRun: DryRun = local ? 'client' : parseDryRun(call);
  const schema = schemaOf(call.product, info.resource);
  const patch = schema ? createStrategicPatch(before, after, schema) : createMergePatch(before, after);
  const changed = always || Object.keys(patch).length > 0;
  const printer = await createPrinter(call, { operation: withDryRun(operation, local ? 'none' : dryRun) });
  if (!changed && !local) return;
  if (dryRun === 'client') return out(printer(after));
  const options = { manager: flags.text('field-manager'), dryRun };
  try {
    out(printer(await patchObject(call, info, schema ? 'strategic' : 'merge', JSON.stringify(patch), options)));
  } catch (error) {
    throw failure === undefined ? error : new KubectlError(`${failure}${messageOf(error)}`);
  }
}
