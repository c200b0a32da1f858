import { type JsonObject, objectsAt } from '../../../meta/index.ts';
import { bool } from '../../parse/flags.ts';
import { createPrinter, parseDryRun, withDryRun } from '../../printers/printer.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError, undefinedIfNotFound } from '../../program/errors.ts';
import { dryRunFlag, fileFlags, outputFlags } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { createObject, getObject, replaceObject } from '../../resources/changes.ts';
import type { Info } from '../../resources/info.ts';
import { requestFromFlags } from '../../resources/requests.ts';

export const reconcile: Command = {
  flags: { ...dryRunFlag, ...fileFlags, ...outputFlags, 'remove-extra-permissions': bool(), 'remove-extra-subjects': bool() },
  async run(call) {
    if (call.words.length > 0) throw new KubectlError('no arguments are allowed');
    const builder = new Builder(call, await requestFromFlags(call, { continueOnError: true }));
    await builder.visit(async (info) => {
      call.out((await createPrinter(call, { operation: withDryRun('reconciled', parseDryRun(call)) }))(await reconcileOne(call, info)));
    });
    return 0;
  },
};

async function reconcileOne(call: Call, info: Info): Promise<JsonObject> {
  const wanted = info.object ?? {};
  const dryRun = parseDryRun(call);
  const options = { manager: '', dryRun };
  const live = await undefinedIfNotFound(getObject(call, info));
  if (!live) return dryRun === 'client' ? wanted : createObject(call, info, wanted, options);
  const rules = union(live, wanted, 'rules', call.flags.bool('remove-extra-permissions'));
  const subjects = union(live, wanted, 'subjects', call.flags.bool('remove-extra-subjects'));
  const merged = { ...live, ...(rules ? { rules } : {}), ...(subjects ? { subjects } : {}) };
  if (dryRun === 'client' || JSON.stringify(merged) === JSON.stringify(live)) return merged;
  return replaceObject(call, info, merged, options);
}

function union(live: JsonObject, wanted: JsonObject, list: 'rules' | 'subjects', onlyWanted: boolean): readonly JsonObject[] | undefined {
  if (!Array.isArray(live[list]) && !Array.isArray(wanted[list])) return undefined;
  const [own, more] = [objectsAt(live, list), objectsAt(wanted, list)];
  if (onlyWanted) return more;
  const known = new Set(own.map((one) => JSON.stringify(one)));
  return [...own, ...more.filter((one) => !known.has(JSON.stringify(one)))];
}
