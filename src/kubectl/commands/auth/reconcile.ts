import type { JsonObject } from '../../../meta/index.ts';
import { bool } from '../../parse/flags.ts';
import { createPrinter, type DryRun, parseDryRun, withDryRun } from '../../printers/printer.ts';
import type { Call, Command } from '../../program/command.ts';
import { isStatus, KubectlError, mapMessage, undefinedIfNotFound } from '../../program/errors.ts';
import { dryRunFlag, fileFlags, outputFlags } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { createObject, getObject, replaceObject } from '../../resources/changes.ts';
import type { Info } from '../../resources/info.ts';
import { requestFromFlags, requireFiles } from '../../resources/requests.ts';
import { type Plan, planBinding, planCreation, planRole } from './reconcile-plan.ts';

export const reconcile: Command = {
  flags: { ...dryRunFlag, ...fileFlags, ...outputFlags, 'remove-extra-permissions': bool(), 'remove-extra-subjects': bool() },
  async run(call) {
    requireFiles(call);
    if (call.words.length > 0) throw new KubectlError('no arguments are allowed');
    const dryRun = parseClientDryRun(call);
    // kubectl does not default the namespace here.
    const builder = new Builder(call, await requestFromFlags(call, { continueOnError: true, namespace: '', explicit: false }));
    await builder.prepare();
    const printer = await createPrinter(call, { operation: withDryRun('reconciled', dryRun) });
    await builder.visit(async (info) => {
      if (!/^(?:Cluster)?Role(?:Binding)?$/.test(info.resource.kind)) return;
      const plan = await reconcileOne(call, info, dryRun);
      call.out(printer(plan.object));
      printPlan(call, plan);
    });
    return 0;
  },
};

/** @throws KubectlError */
function parseClientDryRun(call: Call): DryRun {
  try {
    const dryRun = parseDryRun(call);
    if (dryRun !== 'server') return dryRun;
  } catch (error) {
    throw mapMessage(error, (message) => `error accessing --dry-run flag for command reconcile: ${message}`);
  }
  throw new KubectlError('--dry-run=server for command reconcile is not supported yet');
}

async function reconcileOne(call: Call, info: Info, dryRun: DryRun): Promise<Plan> {
  const wanted = info.object ?? {};
  const live = await undefinedIfNotFound(getObject(call, info));
  const plan = live ? planChange(call, live, wanted) : planCreation(wanted);
  if (plan.isProtected || dryRun !== 'none' || plan.operation === 'none') return plan;
  return { ...plan, object: await carryOut(call, info, plan) };
}

function planChange({ flags, product }: Call, live: JsonObject, wanted: JsonObject): Plan {
  const protection = product.rename('rbac.authorization.kubernetes.io/autoupdate');
  return String(live['kind']).endsWith('Binding')
    ? planBinding(live, wanted, { protection, removeExtra: flags.bool('remove-extra-subjects') })
    : planRole(live, wanted, { protection, removeExtra: flags.bool('remove-extra-permissions') });
}

async function carryOut(call: Call, info: Info, { operation, object }: Plan): Promise<JsonObject> {
  const options = { manager: '', dryRun: 'none' } as const;
  if (operation === 'update') return replaceObject(call, info, object, options);
  if (operation === 'recreate') {
    const { deleteWithoutOutput } = await import('../changes/delete.ts');
    await deleteWithoutOutput(call, info, 'none');
  }
  if (info.resource.namespaced) await ensureNamespace(call, info.namespace);
  return createObject(call, info, object, options);
}

/** Creates a missing namespace if the user may. */
async function ensureNamespace(call: Call, name: string): Promise<void> {
  if (name === '') throw new KubectlError('resource name may not be empty');
  const namespaces = await (await call.cluster()).resourceFor('namespaces');
  const place = { resource: namespaces, namespace: '', name };
  try {
    await getObject(call, place);
    return;
  } catch (error) {
    if (!isStatus(error, 'NotFound') && !isStatus(error, 'Forbidden')) throw error;
  }
  try {
    await createObject(call, place, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, { manager: '', dryRun: 'none' });
  } catch (error) {
    if (!isStatus(error, 'AlreadyExists') && !isStatus(error, 'Forbidden')) throw error;
  }
}

function printPlan({ flags, err, product }: Call, plan: Plan): void {
  const caveat = plan.isProtected ? `, but object opted out (${product.rename('rbac.authorization.kubernetes.io/autoupdate')}: false)` : '';
  if (plan.operation === 'none') return;
  err(`\treconciliation required ${plan.operation}${caveat}\n`);
  const list = (title: string, lines: readonly string[]): void => {
    if (lines.length > 0) err(`\t${title}:\n${lines.map((line) => `\t\t${line}\n`).join('')}`);
  };
  list('missing subjects added', plan.missingSubjects);
  if (flags.bool('remove-extra-subjects')) list('extra subjects removed', plan.extraSubjects);
  list('missing rules added', plan.missingRules);
  if (flags.bool('remove-extra-permissions')) list('extra rules removed', plan.extraRules);
}
