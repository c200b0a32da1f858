import type { JsonObject } from '../../../meta/index.ts';
import type { KnownResource } from '../../api/discovery.ts';
import { bool, type FlagSpecs } from '../../parse/flags.ts';
import { createPrinter, type DryRun, dryRunOf, withDryRun } from '../../printers/printer.ts';
import { type Call, usageError } from '../../program/command.ts';
import { withMessage } from '../../program/errors.ts';
import { dryRunFlag, managerFlag, outputFlags, validateFlag } from '../../program/global-flags.ts';
import { createOn, validationOf } from '../../resources/changes.ts';
import { withMetadataSet } from '../../resources/info.ts';
import { withLastApplied } from '../../resources/last-applied.ts';

/** Flags of every generator. */
export const generatorFlags: FlagSpecs = {
  ...dryRunFlag,
  ...outputFlags,
  ...validateFlag,
  ...managerFlag('kubectl-create'),
  'save-config': bool(),
};

/** The one name before `--`. @throws KubectlError */
export function nameFrom(call: Call): string {
  const { words, flags } = call;
  const count = flags.dash ?? words.length;
  const [name] = words;
  if (count !== 1 || name === undefined) throw usageError(call, `exactly one NAME is required, got ${count}`);
  return name;
}

export interface Creation {
  readonly resource: KnownResource;
  readonly object: JsonObject;
  /** Begins the message of a failure; undefined leaves it as the server says. */
  readonly failure?: string;
  readonly dryRun?: DryRun;
}

/** Creates what a generator made and prints it. */
export async function createGenerated(call: Call, { resource, object, failure, dryRun = dryRunOf(call) }: Creation): Promise<number> {
  const { flags, out } = call;
  const { name, explicit } = await call.namespace();
  const named = { ...object, apiVersion: call.product.rename(String(object['apiVersion'])) };
  let made: JsonObject = resource.namespaced && explicit ? withMetadataSet(named, { namespace: name }) : named;
  if (flags.has('save-config') && flags.bool('save-config')) made = withLastApplied(call, made);
  const printer = await createPrinter(call, { operation: withDryRun('created', dryRun), typed: true });
  if (dryRun !== 'client') {
    const options = { manager: flags.text('field-manager'), dryRun, validation: flags.has('validate') ? validationOf(call) : 'Strict' };
    const body = resource.namespaced ? withMetadataSet(made, { namespace: name }) : made;
    try {
      made = await createOn(call, { resource, namespace: resource.namespaced ? name : '' }, body, options);
    } catch (error) {
      if (failure === undefined) throw error;
      throw withoutStatus(error, failure);
    }
  }
  out(printer(made));
  return 0;
}

function withoutStatus(error: unknown, failure: string): unknown {
  if (!(error instanceof Error)) return error;
  return withMessage(new Error(error.message), (message) => `${failure}${message}`);
}

/** `{ apiVersion, kind, metadata: { name }, … }` in the order of Go's types. */
export function objectOf(resource: KnownResource, metadata: JsonObject, rest: JsonObject = {}): JsonObject {
  const apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
  return { kind: resource.kind, apiVersion, metadata, ...rest };
}
