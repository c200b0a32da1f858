import { type Json, StatusError } from '../../meta/index.ts';
import { bool, text } from '../parse/flags.ts';
import { createPrinter, dryRunOf, withDryRun } from '../printers/printer.ts';
import type { Call, Command } from '../program/command.ts';
import { isStatus, KubectlError, withSource } from '../program/errors.ts';
import { dryRunFlag, fileFlags, managerFlag, outputFlags, validateFlag } from '../program/global-flags.ts';
import { Builder } from '../resources/builder.ts';
import { createOn, getFrom, replaceOn, validationOf } from '../resources/changes.ts';
import { type Info, metadataOf, withMetadataSet } from '../resources/info.ts';
import { withLastApplied } from '../resources/last-applied.ts';
import { filesMissing, requestFromFlags } from '../resources/requests.ts';
import { deleteFlags, deleteInfo } from './delete.ts';

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
  if (flags.text('raw') !== '') return replaceRaw(call);
  const dryRun = dryRunOf(call);
  const validation = validationOf(call);
  if (flags.int('grace-period') >= 0 && !flags.bool('force')) throw new KubectlError('--grace-period must have --force specified');
  if (flags.duration('timeout') !== 0 && !flags.bool('force')) throw new KubectlError('--timeout must have --force specified');
  const missing = filesMissing(call);
  if (missing !== undefined) throw new KubectlError(missing);
  const builder = new Builder(call, await requestFromFlags(call, { continueOnError: true, validate: validation !== 'Ignore' }));
  if (flags.bool('force')) return forceReplace(call, builder);
  const printer = await createPrinter(call, { operation: withDryRun('replaced', dryRun) });
  const subresource = flags.text('subresource');
  await builder.visit(async (info) => {
    let object = info.object ?? {};
    if (flags.bool('save-config')) object = withLastApplied(call, object);
    if (dryRun !== 'client') {
      try {
        const version = metadataOf(object)['resourceVersion'] ?? (await versionThere(call, info));
        const body = withMetadataSet(object, { resourceVersion: version });
        object = await replaceOn(call, info, body, {
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

/** Of one that cannot be read there is none: it is put all the same, and the server says what is wrong. */
async function versionThere(call: Call, info: Info): Promise<Json | undefined> {
  try {
    return metadataOf(await getFrom(call, info))['resourceVersion'];
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

/** What is there goes first. */
async function forceReplace(call: Call, builder: Builder): Promise<number> {
  const { flags } = call;
  const { infos, error } = await builder.infos();
  if (error !== undefined) throw error;
  for (const info of infos) {
    await deleteInfo(call, info).catch((failure: unknown) => {
      if (!isStatus(failure, 'NotFound')) throw failure;
    });
  }
  const printer = await createPrinter(call, { operation: 'replaced' });
  for (const info of infos) {
    let object = info.object ?? {};
    if (flags.bool('save-config')) object = withLastApplied(call, object);
    const body = withMetadataSet(object, { resourceVersion: undefined, uid: undefined });
    call.out(
      printer(await createOn(call, info, body, { manager: flags.text('field-manager'), dryRun: 'none', validation: validationOf(call) })),
    );
  }
  return 0;
}

async function replaceRaw(call: Call): Promise<number> {
  const [file] = call.flags.list('filename');
  if (file === undefined) throw new KubectlError('--raw can only use a single local file or stdin');
  const { readBody } = await import('./raw-body.ts');
  const { sendRaw } = await import('./get/raw.ts');
  await sendRaw(call, 'PUT', call.flags.text('raw'), await readBody(call, file), call.out);
  return 0;
}
