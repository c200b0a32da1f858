import { isJsonObject, type Json, type JsonObject, objectsAt } from '../../../meta/index.ts';
import { createMergePatch, createStrategicPatch } from '../../../patch/index.ts';
import { bool, type FlagSpecs } from '../../parse/flags.ts';
import { createPrinter, type DryRun, parseDryRun, withDryRun } from '../../printers/printer.ts';
import type { Call } from '../../program/command.ts';
import { KubectlError, throwCollected } from '../../program/errors.ts';
import { dryRunFlag, fileFlags, outputFlags, selectorFlag } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { patchObject } from '../../resources/changes.ts';
import type { Info } from '../../resources/info.ts';
import { requestFromFlags } from '../../resources/requests.ts';
import { schemaOf } from '../../resources/schema-of.ts';

export const setFlags: FlagSpecs = { ...dryRunFlag, ...fileFlags, ...outputFlags, ...selectorFlag, all: bool(), local: bool() };

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
  if (!path) throw new KubectlError(`the object is not a pod or does not have a pod template: *unstructured.Unstructured`);
  const at = (value: Json | undefined, [name, ...rest]: readonly string[]): JsonObject => {
    const object = isJsonObject(value) ? value : {};
    return name === undefined ? change(object) : { ...object, [name]: at(object[name], rest) };
  };
  return at(info.object, path);
}

export function podSpecOf(info: Info): JsonObject {
  let spec: JsonObject = {};
  changePodSpec(info, (found) => {
    spec = found;
    return found;
  });
  return spec;
}

export function containersOf(spec: JsonObject, member = 'containers'): readonly JsonObject[] {
  return objectsAt(spec, member);
}

/** The resources named by the arguments (without changes) and flags, read from the server. @throws KubectlError when one is missing */
export async function selectTargets(call: Call, words: readonly string[]): Promise<readonly Info[]> {
  const local = call.flags.bool('local');
  const builder = new Builder(call, await requestFromFlags(call, { words, continueOnError: true, latest: !local, local }));
  const { infos, error } = await builder.infos();
  if (error !== undefined) throw error;
  return infos;
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
  readonly manager: string;
}

/** Sends the difference and prints the result; nothing when there is no difference. */
export async function sendChange(call: Call, info: Info, after: JsonObject, { operation, manager }: Change): Promise<boolean> {
  const before = info.object ?? {};
  const dryRun: DryRun = call.flags.bool('local') ? 'client' : parseDryRun(call);
  const schema = schemaOf(call.product, info.resource);
  const patch = schema ? createStrategicPatch(before, after, schema) : createMergePatch(before, after);
  const changed = Object.keys(patch).length > 0;
  const printer = await createPrinter(call, { operation: withDryRun(operation, call.flags.bool('local') ? 'none' : dryRun) });
  if (dryRun === 'client') {
    if (changed || call.flags.bool('local')) call.out(printer(after));
    return changed;
  }
  if (!changed) return false;
  call.out(printer(await patchObject(call, info, schema ? 'strategic' : 'merge', JSON.stringify(patch), { manager, dryRun })));
  return true;
}
