import { isJsonObject, type JsonObject, sortMembers } from '../../../meta/index.ts';
import { bool, list, text } from '../../parse/flags.ts';
import { compactJson, indentedJson } from '../../printers/json.ts';
import { createPrinter, parseDryRun, withDryRun } from '../../printers/printer.ts';
import { type Call, type Command, usageError } from '../../program/command.ts';
import { isStatus, KubectlError, withSource } from '../../program/errors.ts';
import { dryRunFlag, fileFlags, managerFlag, outputFlags, recordFlag, selectorFlag, validateFlag } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { getObject, patchObject, requireNamespaceOf } from '../../resources/changes.ts';
import { type Info, metadataOf, setMetadata, textsOf } from '../../resources/info.ts';
import { getLastApplied } from '../../resources/last-applied.ts';
import { requestFromFlags } from '../../resources/requests.ts';
import { printYaml } from '../../yaml/printer.ts';
import { formatInfo } from './client-side.ts';

export const viewLastApplied: Command = {
  flags: { ...fileFlags, ...selectorFlag, all: bool(), output: text('yaml', 'o') },
  async run(call) {
    const { flags, out } = call;
    const output = flags.text('output');
    const configurations: string[] = [];
    const selector = flags.text('selector').trim();
    const problems =
      flags.bool('all') && selector !== ''
        ? [`found non-empty label selector ${JSON.stringify(flags.text('selector'))} with previously set 'all' parameter. `]
        : [];
    const { explicit } = await call.namespace();
    const selection = { latest: true, typeMeansAll: explicit, problems, ...(problems.length > 0 ? { selector: '' } : {}) };
    await new Builder(call, await requestFromFlags(call, selection)).visit((info) => {
      const lastApplied = getLastApplied(call, info.object ?? {});
      if (lastApplied !== undefined) configurations.push(lastApplied);
      // For an object that was named, kubectl continues.
      else if (info.source !== undefined)
        throw withSource(new Error('<nil>'), `no last-applied-configuration annotation found on resource: ${info.name}\n`, info.source);
    });
    for (const configuration of configurations) {
      if (output !== 'yaml' && output !== 'json')
        throw usageError(call, `Unexpected -o output mode: ${output}, the flag 'output' must be one of yaml|json`);
      const value = readObject(configuration);
      out(output === 'yaml' ? printYaml(value) : `${indentedJson(sortMembers(value), '  ')}\n`);
    }
    return 0;
  },
};

function readObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  return isJsonObject(value) ? value : {};
}

export const setLastApplied: Command = {
  flags: { ...dryRunFlag, ...outputFlags, 'create-annotation': bool(), filename: list('f') },
  async run(call) {
    const { flags, out } = call;
    const dryRun = parseDryRun(call);
    const printer = await createPrinter(call, { operation: withDryRun('configured', dryRun) });
    const pending: { readonly info: Info; readonly config: string; readonly live: JsonObject }[] = [];
    await new Builder(call, await requestFromFlags(call)).visit(async (info) => {
      const live = await getObject(call, info).catch(async (error: unknown) => {
        await requireNamespaceOf(await call.api(), info.namespace, error);
        if (isStatus(error, 'NotFound')) throw error;
        throw withSource(error, `retrieving current configuration of:\n${formatInfo(info)}\nfrom server for:`, info.source);
      });
      if (getLastApplied(call, live) === undefined && !flags.bool('create-annotation')) {
        throw new KubectlError(
          `no last-applied-configuration annotation found on resource: ${info.name}, to create the annotation, run the command with --create-annotation`,
        );
      }
      const config = `${compactJson(withoutLastAppliedAnnotation(call, info.object ?? {}))}\n`;
      if (getLastApplied(call, live) === config) out(`set-last-applied ${info.name}: no changes required.\n`);
      else pending.push({ info, config, live });
    });
    for (const { info, config, live } of pending) {
      const body = JSON.stringify({ metadata: { annotations: { [call.product.names.lastAppliedAnnotation]: config } } });
      out(printer(dryRun === 'client' ? live : await patchObject(call, info, 'merge', body, { manager: '', dryRun })));
    }
    return 0;
  },
};

/** The manifest without the annotation itself. */
function withoutLastAppliedAnnotation(call: Call, object: JsonObject): JsonObject {
  const { [call.product.names.lastAppliedAnnotation]: _, ...annotations } = textsOf(metadataOf(object)['annotations']);
  return metadataOf(object)['annotations'] === undefined ? object : setMetadata(object, { annotations });
}

export const editLastApplied: Command = {
  flags: {
    ...fileFlags,
    ...outputFlags,
    ...validateFlag,
    ...managerFlag('kubectl-client-side-apply'),
    ...recordFlag,
    'windows-line-endings': bool(),
  },
  async run(call) {
    const { editText } = await import('../changes/edit.ts');
    const { infos } = await new Builder(call, await requestFromFlags(call, { latest: true })).infos();
    for (const info of infos) {
      const lastApplied = getLastApplied(call, info.object ?? {});
      if (lastApplied === undefined) throw new KubectlError(`no last-applied-configuration annotation found on resource: ${info.name}`);
      const before = printYaml(readObject(lastApplied));
      const after = await editText(call, before);
      if (after === undefined) {
        call.err('Edit cancelled, no changes made.\n');
        continue;
      }
      const body = JSON.stringify({ metadata: { annotations: { [call.product.names.lastAppliedAnnotation]: `${compactJson(after)}\n` } } });
      const changed = await patchObject(call, info, 'merge', body, { manager: call.flags.text('field-manager'), dryRun: 'none' });
      call.out((await createPrinter(call, { operation: 'edited' }))(changed));
    }
    return 0;
  },
};
