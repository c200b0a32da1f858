import { recordAt } from '../../../meta/index.ts';
import { bool, list, text } from '../../parse/flags.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { dryRunFlag, managerFlag, outputFlags, recordFlag } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { type Info, setMetadata } from '../../resources/info.ts';
import { parseSelector, type SelectorParts } from '../../resources/parse-selector.ts';
import { requestFromFlags } from '../../resources/requests.ts';
import { changePodSpec, forEachTarget, selectTargets, sendChange, targetFlags } from './pod-specs.ts';

export const setServiceAccount: Command = {
  flags: { ...targetFlags, ...managerFlag('kubectl-set'), ...recordFlag },
  async run(call) {
    const account = call.words.at(-1);
    if (account === undefined) throw new KubectlError('serviceaccount is required');
    const targets = await selectTargets(call, call.words.slice(0, -1));
    await forEachTarget(targets, async (info) => {
      const after = changePodSpec(info, (spec) => ({ ...spec, serviceAccountName: account }));
      const failure = 'failed to patch ServiceAccountName ';
      await sendChange(call, info, after, { operation: 'serviceaccount updated', failure, always: true });
    });
    return 0;
  },
};

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
    const typed = call.words.at(-1);
    if (typed === undefined) throw new KubectlError('one selector is required');
    const selector = parseSelector(typed);
    const local = call.flags.bool('local');
    const request = await requestFromFlags(call, {
      words: call.words.slice(0, -1),
      continueOnError: true,
      latest: !local,
      local,
      typed: true,
    });
    await new Builder(call, request).visit((info) => selectOne(call, info, selector));
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
  await sendChange(call, { ...info, object: before }, after, { operation: 'selector updated', always: true });
}
