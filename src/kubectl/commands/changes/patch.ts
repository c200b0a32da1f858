import { isJsonObject, type Json, type JsonObject, sameJson } from '../../../meta/index.ts';
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, decodeJsonPatch } from '../../../patch/index.ts';
import { formatKind } from '../../api/discovery.ts';
import { bool, text } from '../../parse/flags.ts';
import { createPrinter, parseDryRun } from '../../printers/printer.ts';
import type { Call, Command } from '../../program/command.ts';
import { isStatus, KubectlError, mapMessage, messageOf } from '../../program/errors.ts';
import { dryRunFlag, fileFlags, managerFlag, outputFlags, recordFlag } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { recordChangeCause } from '../../resources/change-cause.ts';
import { getObject, type PatchType, patchMediaTypes, patchObject } from '../../resources/changes.ts';
import type { Info } from '../../resources/info.ts';
import { requestFromFlags } from '../../resources/requests.ts';
import { readYaml } from '../../yaml/read-yaml.ts';

export const patch: Command = {
  flags: {
    ...dryRunFlag,
    ...fileFlags,
    ...outputFlags,
    ...managerFlag('kubectl-patch'),
    ...recordFlag,
    local: bool(),
    patch: text('', 'p'),
    'patch-file': text(),
    subresource: text(),
    type: text('strategic'),
  },
  run: runPatch,
};

async function runPatch(call: Call): Promise<number> {
  const { flags, out } = call;
  if (flags.text('patch') === '' && flags.text('patch-file') === '')
    throw new KubectlError('must specify --patch or --patch-file containing the contents of the patch');
  if (flags.text('patch') !== '' && flags.text('patch-file') !== '')
    throw new KubectlError('cannot specify --patch and --patch-file together');
  const type = flags.text('type').toLowerCase();
  if (type !== 'json' && type !== 'merge' && type !== 'strategic')
    throw new KubectlError(`--type must be one of [json merge strategic], not ${JSON.stringify(flags.text('type'))}`);
  if (flags.bool('local') && call.words.length > 0) throw new KubectlError('cannot specify --local and server resources');
  const body = await readPatch(call);
  const builder = new Builder(call, await requestFromFlags(call, { continueOnError: true, latest: false, local: flags.bool('local') }));
  let count = 0;
  await builder.visit(async (info) => {
    count++;
    const { object, changed } = await patchOne(call, info, type, body);
    const operation = changed ? 'patched' : 'patched (no change)';
    out((await createPrinter(call, { operation }))(object));
  });
  if (count === 0) throw new KubectlError('no objects passed to patch');
  return 0;
}

/** Converts YAML to JSON. Invalid input is sent unchanged, for the server to reject. */
async function readPatch(call: Call): Promise<string> {
  const { flags, shell } = call;
  let typed = flags.text('patch');
  if (flags.text('patch-file') !== '') {
    const content = await shell.files.read(call.path(flags.text('patch-file')));
    if (!content) throw new KubectlError(`unable to read patch file: open ${flags.text('patch-file')}: no such file or directory`);
    typed = new TextDecoder().decode(content);
  }
  if (/^\s*[[{]/.test(typed)) return typed;
  try {
    return JSON.stringify(await readYaml(typed));
  } catch (error) {
    throw new KubectlError(`unable to parse ${JSON.stringify(typed)}: ${messageOf(error)}`);
  }
}

async function patchOne(
  call: Call,
  info: Info,
  type: Exclude<PatchType, 'apply'>,
  body: string,
): Promise<{ object: JsonObject; changed: boolean }> {
  const { flags } = call;
  const dryRun = parseDryRun(call);
  if (flags.bool('local') || dryRun === 'client') return patchLocally(call, info, type, body);
  const subresource = flags.text('subresource');
  try {
    const before = await getObject(call, info, subresource || undefined);
    const object = await patchObject(call, info, type, body, {
      manager: flags.text('field-manager'),
      dryRun,
      ...(subresource === '' ? {} : { subresource }),
    });
    await recordChangeCause(call, info, { manager: flags.text('field-manager'), dryRun });
    return { object, changed: !sameJson(object, before) };
  } catch (error) {
    if (!isStatus(error, 'UnsupportedMediaType')) throw error;
    throw mapMessage(
      new Error(messageOf(error)),
      (message) => `${patchMediaTypes[type]} is not supported by ${formatKind(info.resource)}: ${message}`,
    );
  }
}

/** `--local` and `--dry-run=client`: kubectl applies the patch itself. */
async function patchLocally(
  call: Call,
  info: Info,
  type: Exclude<PatchType, 'apply'>,
  body: string,
): Promise<{ object: JsonObject; changed: boolean }> {
  const live = info.object ?? (await getObject(call, info));
  const value = JSON.parse(body) as Json;
  const object = await applyPatch(call, info, { live, value, type });
  return { object, changed: JSON.stringify(object) !== JSON.stringify(live) };
}

async function applyPatch(
  call: Call,
  info: Info,
  { live, value, type }: { live: JsonObject; value: Json; type: string },
): Promise<JsonObject> {
  if (type === 'merge') return applyMergePatch(live, isJsonObject(value) ? value : null);
  if (type === 'json') return applyJsonPatch(live, decodeJsonPatch(value)) as JsonObject;
  const { schemaOf } = await import('../../resources/schema-of.ts');
  const schema = schemaOf(call.product, info.resource);
  if (!schema) throw new KubectlError(`strategic merge patch is not supported for ${formatKind(info.resource)} locally, try --type merge`);
  return applyStrategicMergePatch(live, isJsonObject(value) ? value : {}, schema);
}
