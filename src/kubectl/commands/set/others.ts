import { recordAt } from '../../../meta/index.ts';
import { bool, list, text } from '../../parse/flags.ts';
import { parseDryRun } from '../../printers/printer.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { dryRunFlag, managerFlag, outputFlags, recordFlag } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { type Info, setMetadata } from '../../resources/info.ts';
import { parseSelector, type SelectorParts } from '../../resources/parse-selector.ts';
import { requestFromFlags } from '../../resources/requests.ts';
import {
  type ComputeChange,
  changePodSpec,
  changeTargets,
  createChangePrinter,
  requireNoLocalServerDryRun,
  selectTargets,
  targetFlags,
} from './pod-specs.ts';

const accountChange = { operation: 'serviceaccount updated', failure: 'failed to patch ServiceAccountName ', always: true };

export const setServiceAccount: Command = {
  flags: { ...targetFlags, ...managerFlag('kubectl-set'), ...recordFlag },
  async run(call) {
    requireNoLocalServerDryRun(call);
    await createChangePrinter(call, accountChange);
    await call.namespace();
    const account = call.words.at(-1);
    if (account === undefined) throw new KubectlError('serviceaccount is required');
    const targets = await selectTargets(call, call.words.slice(0, -1));
    const compute: ComputeChange = (info) => changePodSpec(info, (spec) => ({ ...spec, serviceAccountName: account }));
    await changeTargets(call, targets, compute, accountChange);
    return 0;
  },
};

const selectorChange = { operation: 'selector updated', always: true };

export const setSelector: Command = {
  flags: {
    ...dryRunFlag,
    ...outputFlags,
    ...managerFlag('kubectl-set'),
    ...recordFlag,
    all: bool(),
    filename: list('f'),
    local: bool(),
    recursive: bool(true, 'R'),
    'resource-version': text(),
  },
  async run(call) {
    parseDryRun(call);
    const typed = call.words.at(-1);
    const selector = typed === undefined ? undefined : parseSelector(typed);
    await createChangePrinter(call, selectorChange);
    if (selector === undefined) throw new KubectlError('one selector is required');
    const local = call.flags.bool('local');
    const selection = { words: call.words.slice(0, -1), latest: !local, local, all: false, typeMeansAll: call.flags.bool('all') };
    const builder = new Builder(call, await requestFromFlags(call, { ...selection, continueOnError: true, typed: true }));
    await builder.visit((info) => selectOne(call, info, selector));
    return 0;
  },
};

async function selectOne(call: Call, info: Info, { matchLabels, matchExpressions }: SelectorParts): Promise<void> {
  if (info.resource.kind !== 'Service') throw new KubectlError('setting a selector is only supported for Services');
  if (matchExpressions.length > 0) {
    const shown = matchExpressions.map(({ key, operator, values }) => `{${key} ${operator} [${values.join(' ')}]}`);
    throw new KubectlError(`match expression [${shown.join(' ')}] not supported on this object`);
  }
  const resourceVersion = call.flags.text('resource-version');
  const before = resourceVersion === '' ? info.object : setMetadata(info.object ?? {}, { resourceVersion: undefined });
  const selected = { ...before, spec: { ...recordAt(before, 'spec'), selector: matchLabels } };
  const after = resourceVersion === '' ? selected : setMetadata(selected, { resourceVersion });
  await changeTargets(call, [{ ...info, object: before }], () => after, selectorChange);
}
