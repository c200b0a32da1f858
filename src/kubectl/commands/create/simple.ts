import { isQuantity, normalizeQuantity, setMember } from '../../../meta/index.ts';
import { builtInResource } from '../../api/discovery.ts';
import { bool, int, text } from '../../parse/flags.ts';
import type { Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { parseSelector, selectorObject } from '../../resources/parse-selector.ts';
import { buildObject, completeCreation, createAndPrint, generatorFlags } from './create-object.ts';

const namespaces = builtInResource('v1', 'namespaces', 'Namespace', false);
const serviceAccounts = builtInResource('v1', 'serviceaccounts', 'ServiceAccount');
const quotas = builtInResource('v1', 'resourcequotas', 'ResourceQuota');
const classes = builtInResource('scheduling.k8s.io/v1', 'priorityclasses', 'PriorityClass', false);
const budgets = builtInResource('policy/v1', 'poddisruptionbudgets', 'PodDisruptionBudget');

export const namespace: Command = {
  flags: generatorFlags,
  async run(call) {
    const name = await completeCreation(call);
    return createAndPrint(call, { resource: namespaces, object: buildObject(namespaces, { name }, { spec: {}, status: {} }) });
  },
};

export const serviceAccount: Command = {
  flags: generatorFlags,
  async run(call) {
    const object = buildObject(serviceAccounts, { name: await completeCreation(call) });
    return createAndPrint(call, { resource: serviceAccounts, object, failure: 'failed to create serviceaccount: ' });
  },
};

const splitList = (text: string): readonly string[] => (text === '' ? [] : text.split(','));

export const quota: Command = {
  flags: { ...generatorFlags, hard: text(), scopes: text() },
  async run(call) {
    const name = await completeCreation(call);
    const { flags } = call;
    const hard: Record<string, string> = {};
    for (const pair of splitList(flags.text('hard'))) {
      const [key = '', value, more] = pair.split('=');
      if (value === undefined || more !== undefined) throw new KubectlError(`Invalid argument syntax ${pair}, expected <resource>=<value>`);
      if (!isQuantity(value))
        throw new KubectlError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
      setMember(hard, key, normalizeQuantity(value));
    }
    const scopes = splitList(flags.text('scopes'));
    if (scopes.includes('')) throw new KubectlError('invalid resource quota scope ""');
    const spec = { ...(Object.keys(hard).length > 0 ? { hard } : {}), ...(scopes.length > 0 ? { scopes } : {}) };
    return createAndPrint(call, {
      resource: quotas,
      object: buildObject(quotas, { name }, { spec, status: {} }),
      failure: 'failed to create quota: ',
    });
  },
};

export const priorityClass: Command = {
  flags: {
    ...generatorFlags,
    description: text(),
    'global-default': bool(),
    'preemption-policy': text('PreemptLowerPriority'),
    value: int(0),
  },
  async run(call) {
    const name = await completeCreation(call);
    const { flags } = call;
    const members = {
      value: flags.int('value'),
      ...(flags.bool('global-default') ? { globalDefault: true } : {}),
      ...(flags.text('description') === '' ? {} : { description: flags.text('description') }),
      preemptionPolicy: flags.text('preemption-policy'),
    };
    return createAndPrint(call, {
      resource: classes,
      object: buildObject(classes, { name }, members),
      failure: 'failed to create priorityclass: ',
    });
  },
};

export const podDisruptionBudget: Command = {
  flags: { ...generatorFlags, 'max-unavailable': text(), 'min-available': text(), selector: text() },
  async run(call) {
    const name = await completeCreation(call);
    const { flags } = call;
    const [least, most, selector] = [flags.text('min-available'), flags.text('max-unavailable'), flags.text('selector')];
    if (selector === '') throw new KubectlError('a selector must be specified');
    if (least === '' && most === '') throw new KubectlError('one of min-available or max-unavailable must be specified');
    if (least !== '' && most !== '') throw new KubectlError('min-available and max-unavailable cannot be both specified');
    for (const [flag, value] of [
      ['max-unavailable', most],
      ['min-available', least],
    ])
      if (value !== '' && !/^\d+%?$/.test(value ?? '')) throw new KubectlError(`invalid format specified for ${flag}`);
    const amount = (value: string): number | string => (/^\d+$/.test(value) ? Number(value) : value);
    const spec = {
      ...(least === '' ? {} : { minAvailable: amount(least) }),
      selector: selectorObject(parseSelector(selector)),
      ...(most === '' ? {} : { maxUnavailable: amount(most) }),
    };
    const status = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
    return createAndPrint(call, {
      resource: budgets,
      object: buildObject(budgets, { name }, { spec, status }),
      failure: 'failed to create poddisruptionbudgets: ',
    });
  },
};
