import { formatGoValue, type JsonObject, objectsAt, recordAt } from '../../meta/index.ts';
import { formatGroupVersion } from '../api/discovery.ts';
import { bool, duration, list, text } from '../parse/flags.ts';
import { JsonPath, relaxedPath } from '../printers/jsonpath.ts';
import { createPrinter } from '../printers/printer.ts';
import type { Call, Command } from '../program/command.ts';
import { collectErrors, isStatus, KubectlError, throwCollected } from '../program/errors.ts';
import { outputFlags, selectorFlag } from '../program/global-flags.ts';
import { Builder } from '../resources/builder.ts';
import { getObject } from '../resources/changes.ts';
import { type Info, metadataOf } from '../resources/info.ts';
import { requestFromFlags } from '../resources/requests.ts';
import { waitForCondition } from '../resources/wait-for-condition.ts';

export const wait: Command = {
  flags: {
    filename: list('f'),
    recursive: bool(true, 'R'),
    ...outputFlags,
    ...selectorFlag,
    all: bool(),
    'all-namespaces': bool(false, 'A'),
    'field-selector': text(),
    for: text(),
    local: bool(),
    timeout: duration('30s'),
  },
  run: runWait,
};

/** True when the object (undefined when it does not exist) meets the condition. @throws KubectlError when it never can */
type Condition = (object: JsonObject | undefined) => boolean;

async function runWait(call: Call): Promise<number> {
  const { flags } = call;
  const wanted = flags.text('for');
  const printer = await createPrinter(call, { operation: 'condition met' });
  await call.cluster();
  const condition = parseCondition(wanted);
  const { clock } = call.shell;
  const timeout = flags.duration('timeout');
  const endMs = clock.monotonicMs() + (timeout < 0 ? 7 * 24 * 3_600_000 : timeout);
  const kind = wanted.toLowerCase();
  if (kind === 'create') await waitForAny(call, endMs);
  const ignoresMissing = kind === 'delete';
  const builder = await createBuilder(call);
  let found = false;
  try {
    await builder.visit(async (info) => {
      found = true;
      if (info.name === '') throw new KubectlError('resource name must be provided');
      const object = timeout === 0 ? await checkOnce(call, info, condition) : await waitForCondition(call, info, condition, endMs);
      call.out(printer(object ?? nameOnly(info)));
    });
  } catch (failure) {
    throwCollected(collectErrors(failure, (one) => ignoresMissing && isStatus(one, 'NotFound')));
  }
  if (!found && !ignoresMissing) throw new KubectlError('no matching resources found');
  return 0;
}

async function createBuilder(call: Call): Promise<Builder> {
  const { flags } = call;
  const local = flags.bool('local');
  const selection = {
    all: false,
    typeMeansAll: flags.bool('all'),
    ...(local ? { local, selector: '', fieldSelector: '' } : { latest: true }),
  };
  return new Builder(call, await requestFromFlags(call, { ...selection, continueOnError: true }));
}

/** Without time to wait, the condition is checked once. @throws KubectlError when it is not met */
async function checkOnce(call: Call, info: Info, condition: Condition): Promise<JsonObject | undefined> {
  const isMissingAllowed = condition(undefined);
  const live = await getObject(call, info).catch((error: unknown) => {
    if (isMissingAllowed && isStatus(error, 'NotFound')) return undefined;
    throw error;
  });
  if (!condition(live)) throw new KubectlError(`condition not met for ${info.resource.name}/${info.name}`);
  return live ?? info.object;
}

function nameOnly({ resource, name, object }: Info): JsonObject {
  return (
    object ?? {
      apiVersion: formatGroupVersion(resource),
      kind: resource.kind,
      metadata: { name },
    }
  );
}

/** @throws KubectlError */
function parseCondition(wanted: string): Condition {
  const lower = wanted.toLowerCase();
  if (lower === 'delete') return (object) => object === undefined;
  if (lower === 'create') return (object) => object !== undefined;
  const named = /^condition=([^=]*)(?:=([\s\S]*))?$/.exec(wanted);
  if (named) return hasCondition(named[1] ?? '', named[2] ?? 'true');
  if (wanted.startsWith('jsonpath=')) return hasValue(wanted.slice('jsonpath='.length));
  throw new KubectlError(`unrecognized condition: ${JSON.stringify(wanted)}`);
}

function hasCondition(type: string, status: string): Condition {
  return (object) => {
    const state = recordAt(object, 'status');
    const found = objectsAt(state, 'conditions').find((one) => String(one['type']).toLowerCase() === type.toLowerCase());
    if (!found) return false;
    const generation = metadataOf(object)['generation'];
    const observed = found['observedGeneration'] ?? state['observedGeneration'];
    if (typeof generation === 'number' && typeof observed === 'number' && observed < generation) return false;
    return String(found['status']).toLowerCase() === status.toLowerCase();
  };
}

function hasValue(typed: string): Condition {
  // Pairs of equals signs are comparisons of the expression.
  const [expression = '', value, ...more] = typed.split(/(?<!=)=(?!=)/);
  if (more.length > 0)
    throw new KubectlError(
      "jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 or --for=jsonpath='{.status.readyReplicas}'",
    );
  const relaxed = relaxedPath(expression);
  const wanted = value?.replace(/^['"]+|['"]+$/g, '');
  if (wanted === '')
    throw new KubectlError("jsonpath wait has to have a value after equal sign, like --for=jsonpath='{.status.readyReplicas}'=3");
  if (relaxed === '') throw new KubectlError('jsonpath expression cannot be empty');
  const path = new JsonPath(relaxed);
  return (object) => {
    const found = object === undefined ? [] : (path.results(object)[0] ?? []);
    if (found.length === 0) return false;
    if (found.length > 1) throw new KubectlError('given jsonpath expression matches more than one value');
    if (wanted === undefined) return true;
    if (typeof found[0] === 'object' && found[0] !== null)
      throw new KubectlError('jsonpath leads to a nested object or list which is not supported');
    return formatGoValue(found[0]).trim() === wanted.trim();
  };
}

/** Waits until at least one of the requested objects exists. @throws KubectlError */
async function waitForAny(call: Call, endMs: number): Promise<void> {
  const { clock } = call.shell;
  for (;;) {
    try {
      const { infos, error } = await (await createBuilder(call)).infos();
      if (infos.length > 0 && error === undefined) return;
      if (error !== undefined && !isStatus(error, 'NotFound')) throw error;
    } catch (error) {
      if (!isStatus(error, 'NotFound')) throw error;
    }
    if (clock.monotonicMs() >= endMs) throw new KubectlError('timed out waiting for the condition');
    await clock.sleep(Math.max(1, Math.min(500, endMs - clock.monotonicMs())), call.signal);
  }
}
