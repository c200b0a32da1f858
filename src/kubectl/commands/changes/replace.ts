import { type Json, StatusError } from '../../../meta/index.ts';
import { bool, text } from '../../parse/flags.ts';
import { createPrinter, parseDryRun, withDryRun } from '../../printers/printer.ts';
import type { Call, Command } from '../../program/command.ts';
import { isStatus, KubectlError, throwCollected, undefinedIfNotFound, withSource } from '../../program/errors.ts';
import { dryRunFlag, fileFlags, managerFlag, outputFlags, validateFlag } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { createObject, getObject, parseValidation, replaceObject } from '../../resources/changes.ts';
import { type Info, metadataOf, setMetadata } from '../../resources/info.ts';
import { setLastApplied } from '../../resources/last-applied.ts';
import { requestFromFlags, requireFiles } from '../../resources/requests.ts';
import { deleteFlags, forceDelete, parseCascade } from './delete.ts';

export const replace: Command = {
  flags: {
    ...dryRunFlag,
    ...fileFlags,
    ...outputFlags,
    ...validateFlag,
    ...managerFlag('kubectl-replace'),
    ...deleteFlags,
    wait: bool(),
    raw: text(),
    'save-config': bool(),
    subresource: text(),
  },
  run: runReplace,
};

async function runReplace(call: Call): Promise<number> {
  const { flags } = call;
  const validation = parseValidation(call);
  const dryRun = parseDryRun(call);
  await call.cluster();
  const printer = await createPrinter(call, { operation: withDryRun('replaced', dryRun) });
  parseCascade(call);
  requireFiles(call);
  if (flags.int('grace-period') >= 0 && !flags.bool('force')) throw new KubectlError('--grace-period must have --force specified');
  if (flags.duration('timeout') !== 0 && !flags.bool('force')) throw new KubectlError('--timeout must have --force specified');
  if (flags.bool('force') && dryRun !== 'none') throw new KubectlError('--dry-run can not be used when --force is set');
  if (flags.text('raw') !== '') return (await import('../raw-body.ts')).sendRawBody(call, 'PUT');
  const builder = new Builder(call, await requestFromFlags(call, { continueOnError: true, validate: validation }));
  if (flags.bool('force')) return forceReplace(call, builder);
  const subresource = flags.text('subresource');
  await builder.visit(async (info) => {
    let object = info.object ?? {};
    if (flags.bool('save-config')) object = setLastApplied(call, object);
    if (dryRun !== 'client') {
      try {
        const version = metadataOf(object)['resourceVersion'] ?? (await liveResourceVersion(call, info));
        const body = setMetadata(object, { resourceVersion: version });
        object = await replaceObject(call, info, body, {
          manager: flags.text('field-manager'),
          dryRun,
          validation,
          ...(subresource === '' ? {} : { subresource }),
        });
      } catch (error) {
        throw withSource(error, 'replacing', info.source);
      }
    }
    call.out(printer(object));
  });
  return 0;
}

/** Undefined when the object cannot be read: the request is sent anyway and the server reports the problem. */
async function liveResourceVersion(call: Call, info: Info): Promise<Json | undefined> {
  try {
    return metadataOf(await getObject(call, info))['resourceVersion'];
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

/** Deletes the object before it is created again. */
async function forceReplace(call: Call, builder: Builder): Promise<number> {
  const { flags } = call;
  const { infos, error } = await builder.infos();
  const failures: unknown[] = [];
  for (const info of infos) {
    await forceDelete(call, info).catch((failure: unknown) => {
      if (!isStatus(failure, 'NotFound')) failures.push(failure);
    });
  }
  throwCollected(error === undefined ? failures : [...failures, error]);
  for (const info of infos) await waitUntilGone(call, info);
  const printer = await createPrinter(call, { operation: 'replaced' });
  for (const info of infos) {
    let object = info.object ?? {};
    if (flags.bool('save-config')) object = setLastApplied(call, object);
    const body = setMetadata(object, { resourceVersion: undefined, uid: undefined });
    call.out(
      printer(
        await createObject(call, info, body, { manager: flags.text('field-manager'), dryRun: 'none', validation: parseValidation(call) }),
      ),
    );
  }
  return 0;
}

/** Polls until the object does not exist. @throws KubectlError after --timeout, or five minutes */
async function waitUntilGone(call: Call, info: Info): Promise<void> {
  const { clock } = call.shell;
  const endMs = clock.monotonicMs() + (call.flags.duration('timeout') || 300_000);
  while ((await undefinedIfNotFound(getObject(call, info))) !== undefined) {
    const leftMs = endMs - clock.monotonicMs();
    if (leftMs <= 0) throw new KubectlError('context deadline exceeded');
    await clock.sleep(Math.min(1000, leftMs), call.signal);
  }
}
