import type { JsonObject } from '../../../meta/index.ts';
import type { ApiResource } from '../../api/discovery.ts';
import { bool, type FlagSpecs } from '../../parse/flags.ts';
import { createPrinter, type DryRun, parseDryRun, withDryRun } from '../../printers/printer.ts';
import { type Call, usageError } from '../../program/command.ts';
import { mapMessage } from '../../program/errors.ts';
import { dryRunFlag, managerFlag, outputFlags, validateFlag } from '../../program/global-flags.ts';
import { createObject, parseValidation } from '../../resources/changes.ts';
import { setMetadata } from '../../resources/info.ts';
import { setTypedLastApplied } from '../../resources/last-applied.ts';

/** Common flags of all generators. */
export const generatorFlags: FlagSpecs = {
  ...dryRunFlag,
  ...outputFlags,
  ...validateFlag,
  ...managerFlag('kubectl-create'),
  'save-config': bool(),
};

/** The only argument before `--`. @throws KubectlError */
export function nameArgument(call: Call): string {
  const { words, flags } = call;
  const count = flags.argsBeforeDash ?? words.length;
  const [name] = words;
  if (count !== 1 || name === undefined) throw usageError(call, `exactly one NAME is required, got ${count}`);
  return name;
}

/**
 * Reads the name and what kubectl checks before the flags of a generator: the server, `--dry-run`, the format and `--validate`.
 * @throws KubectlError
 */
export async function completeCreation(call: Call): Promise<string> {
  const name = nameArgument(call);
  await call.cluster();
  const dryRun = parseDryRun(call);
  await createPrinter(call, { operation: withDryRun('created', dryRun) });
  parseValidation(call);
  return name;
}

export interface Creation {
  readonly resource: ApiResource;
  readonly object: JsonObject;
  /** Prefix of error messages; undefined leaves the server's message. */
  readonly failure?: string;
  readonly dryRun?: DryRun;
}

/** Creates the generated object and prints it. */
export async function createAndPrint(call: Call, { resource, object, failure, dryRun = parseDryRun(call) }: Creation): Promise<number> {
  const { flags, out } = call;
  const { name, explicit } = await call.namespace();
  const named = { ...object, apiVersion: call.product.rename(String(object['apiVersion'])) };
  let made: JsonObject = resource.namespaced && explicit ? setMetadata(named, { namespace: name }) : named;
  if (flags.has('save-config') && flags.bool('save-config')) made = await setTypedLastApplied(call, made);
  const printer = await createPrinter(call, { operation: withDryRun('created', dryRun), typed: true });
  if (dryRun !== 'client') {
    const options = { manager: flags.text('field-manager'), dryRun, validation: flags.has('validate') ? parseValidation(call) : 'Strict' };
    const body = resource.namespaced ? setMetadata(made, { namespace: name }) : made;
    try {
      made = await createObject(call, { resource, namespace: resource.namespaced ? name : '' }, body, options);
    } catch (error) {
      if (failure === undefined) throw error;
      throw toPlainError(error, failure);
    }
  }
  out(printer(made));
  return 0;
}

function toPlainError(error: unknown, failure: string): unknown {
  if (!(error instanceof Error)) return error;
  return mapMessage(new Error(error.message), (message) => `${failure}${message}`);
}

/** `{ kind, apiVersion, metadata: { name }, … }` with members in the order of Go's types. */
export function buildObject(resource: ApiResource, metadata: JsonObject, rest: JsonObject = {}): JsonObject {
  const apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
  return { kind: resource.kind, apiVersion, metadata, ...rest };
}
