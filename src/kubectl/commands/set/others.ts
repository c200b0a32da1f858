import { isJsonObject, type JsonObject, objectsAt } from '../../../meta/index.ts';
import { array, text } from '../../parse/flags.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { managerFlag } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { requestFromFlags } from '../../resources/requests.ts';
import { splitPairs } from './image.ts';
import { changePodSpec, sendChange, setFlags } from './pod-specs.ts';

async function changeEach(
  call: Call,
  words: readonly string[],
  operation: string,
  change: (info: Parameters<typeof changePodSpec>[0]) => JsonObject,
): Promise<number> {
  const local = call.flags.bool('local');
  const request = await requestFromFlags(call, { words, continueOnError: true, latest: !local, local });
  await new Builder(call, request).visit(async (info) => {
    await sendChange(call, info, change(info), { operation, manager: call.flags.text('field-manager') });
  });
  return 0;
}

export const setServiceAccount: Command = {
  flags: { ...setFlags, ...managerFlag('kubectl-set') },
  run(call) {
    const account = call.words.at(-1);
    if (account === undefined || call.words.length < 2) throw new KubectlError('serviceaccount is required');
    return changeEach(call, call.words.slice(0, -1), 'serviceaccount updated', (info) =>
      changePodSpec(info, (spec) => ({ ...spec, serviceAccountName: account })),
    );
  },
};

export const setSelector: Command = {
  flags: { ...setFlags, ...managerFlag('kubectl-set'), 'resource-version': text() },
  run(call) {
    const selector = call.words.at(-1);
    if (selector === undefined || call.words.length < 2)
      throw new KubectlError('one or more resources must be specified as <resource> <name> or <resource>/<name>');
    const labels = Object.fromEntries(selector.split(',').map((pair) => pair.split('=', 2) as [string, string]));
    return changeEach(call, call.words.slice(0, -1), 'selector updated', ({ resource, object }) => {
      if (resource.name !== 'services') throw new KubectlError(`selector for ${resource.kind} cannot be set`);
      return { ...object, spec: { ...(isJsonObject(object?.['spec']) ? object['spec'] : {}), selector: labels } };
    });
  },
};

export const setSubject: Command = {
  flags: { ...setFlags, ...managerFlag('kubectl-set'), group: array(), serviceaccount: array(), user: array() },
  run(call) {
    const { flags } = call;
    const group = call.product.rename('rbac.authorization.k8s.io');
    const accounts = flags.list('serviceaccount').map((typed) => {
      const [namespace, name, more] = typed.split(':');
      if (!namespace || !name || more !== undefined) throw new KubectlError('serviceaccount must be <namespace>:<name>');
      return { kind: 'ServiceAccount', name, namespace };
    });
    const subjects: JsonObject[] = [
      ...flags.list('user').map((name) => ({ apiGroup: group, kind: 'User', name })),
      ...flags.list('group').map((name) => ({ apiGroup: group, kind: 'Group', name })),
      ...accounts,
    ];
    if (subjects.length === 0) throw new KubectlError('you must specify at least one value of user, group or serviceaccount');
    const { resources } = splitPairs(call.words);
    return changeEach(call, resources, 'subjects updated', ({ object }) => {
      const before = objectsAt(object, 'subjects');
      const same = (left: JsonObject, right: JsonObject): boolean =>
        left['kind'] === right['kind'] && left['name'] === right['name'] && left['namespace'] === right['namespace'];
      return { ...object, subjects: [...before, ...subjects.filter((one) => !before.some((other) => same(one, other)))] };
    });
  },
};
