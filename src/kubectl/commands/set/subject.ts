import { type JsonObject, objectsAt } from '../../../meta/index.ts';
import { array } from '../../parse/flags.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { managerFlag } from '../../program/global-flags.ts';
import type { Info } from '../../resources/info.ts';
import {
  changeTargets,
  createChangePrinter,
  requireNoLocalResources,
  requireNoLocalServerDryRun,
  requireNoSelectorOfAll,
  selectTargets,
  setFlags,
  targetError,
} from './pod-specs.ts';

export const setSubject: Command = {
  flags: { ...setFlags, ...managerFlag('kubectl-set'), group: array(), serviceaccount: array(), user: array() },
  async run(call) {
    await createChangePrinter(call, change);
    await call.namespace();
    requireNoLocalResources(call, call.words);
    const targets = await selectTargets(call, call.words);
    requireNoLocalServerDryRun(call);
    requireNoSelectorOfAll(call);
    const subjects = readSubjects(call, (await call.namespace()).name, targets);
    await changeTargets(call, targets, (info) => addSubjects(info, subjects), change);
    return 0;
  },
};

const change = { operation: 'subjects updated', failure: 'failed to patch subjects to rolebinding: ' };

/** Undefined: the object has all of them. */
function addSubjects(info: Info, subjects: readonly JsonObject[]): JsonObject | undefined {
  if (!/^(?:Cluster)?RoleBinding$/.test(info.resource.kind))
    throw targetError(info, 'setting subjects is only supported for RoleBinding/ClusterRoleBinding');
  const before = objectsAt(info.object, 'subjects');
  const added = subjects.filter((one) => !before.some((other) => isSame(one, other)));
  return added.length === 0 ? undefined : { ...info.object, subjects: [...before, ...added] };
}

const isSame = (left: JsonObject, right: JsonObject): boolean =>
  ['kind', 'name', 'namespace'].every((member) => left[member] === right[member]);

/** @throws KubectlError */
function readSubjects({ flags, product }: Call, namespace: string, targets: readonly Info[]): readonly JsonObject[] {
  const sorted = (flag: string): readonly string[] => [...new Set(flags.list(flag))].sort();
  if (['user', 'group', 'serviceaccount'].every((flag) => flags.list(flag).length === 0))
    throw new KubectlError('you must specify at least one value of user, group or serviceaccount');
  const apiGroup = product.rename('rbac.authorization.k8s.io');
  const accounts = sorted('serviceaccount').map((typed) => {
    const [of = '', name = '', more] = typed.split(':');
    if (name === '' || more !== undefined) throw new KubectlError('serviceaccount must be <namespace>:<name>');
    if (of === '' && targets.some(({ resource }) => resource.kind === 'ClusterRoleBinding'))
      throw new KubectlError('serviceaccount must be <namespace>:<name>, namespace must be specified');
    return { kind: 'ServiceAccount', name, namespace: of || namespace };
  });
  return [
    ...sorted('user').map((name) => ({ apiGroup, kind: 'User', name })),
    ...sorted('group').map((name) => ({ apiGroup, kind: 'Group', name })),
    ...accounts,
  ];
}
