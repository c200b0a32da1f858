import type { Json, JsonObject } from '../../../src/meta/index.ts';
import { byText, objectAt, objectsAt, pick, sortedJson, textAt } from './json.ts';

/** Members of a pod's spec that the server's defaults always write. */
const usualSpec: JsonObject = {
  dnsPolicy: 'ClusterFirst',
  schedulerName: 'default-scheduler',
  restartPolicy: 'Always',
  enableServiceLinks: true,
  preemptionPolicy: 'PreemptLowerPriority',
  terminationGracePeriodSeconds: 30,
  serviceAccount: 'default',
  serviceAccountName: 'default',
  priority: 0,
  securityContext: {},
  tolerations: [],
  volumes: [],
};
const usualContainer: JsonObject = {
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  resources: {},
  volumeMounts: [],
};

/** A pod's spec without what the server's defaults always write. */
export function plainPodSpec(spec: JsonObject): JsonObject {
  const changed: Record<string, Json> = {};
  if (spec['tolerations']) changed['tolerations'] = objectsAt(spec, 'tolerations').filter((toleration) => !isDefaultToleration(toleration));
  if (spec['volumes']) changed['volumes'] = withoutToken(objectsAt(spec, 'volumes'));
  for (const list of ['containers', 'initContainers']) if (spec[list]) changed[list] = objectsAt(spec, list).map(plainContainer);
  return withoutUsual({ ...spec, ...changed }, usualSpec);
}

function plainContainer(container: JsonObject): JsonObject {
  const changed: Record<string, Json> = {};
  if (container['volumeMounts']) changed['volumeMounts'] = withoutToken(objectsAt(container, 'volumeMounts'));
  if (container['ports']) changed['ports'] = objectsAt(container, 'ports').map((port) => withoutUsual(port, { protocol: 'TCP' }));
  const imagePullPolicy = /:latest$|^[^:]+$/.test(textAt(container, 'image')) ? 'Always' : 'IfNotPresent';
  return withoutUsual({ ...container, ...changed }, { ...usualContainer, imagePullPolicy });
}

const withoutUsual = (object: JsonObject, usual: JsonObject): JsonObject =>
  pick(object, (name, value) => !Object.hasOwn(usual, name) || sortedJson(value) !== sortedJson(usual[name]));

const withoutToken = (list: readonly JsonObject[]): readonly JsonObject[] =>
  list.filter((item) => !/^(kube|svc)-api-access-/.test(textAt(item, 'name')));

function isDefaultToleration({ key, operator, effect, tolerationSeconds }: JsonObject): boolean {
  const isUsual = tolerationSeconds === 300 && effect === 'NoExecute' && operator === 'Exists';
  return isUsual && /^node\.\w+(\.io)?\/(not-ready|unreachable)$/.test(String(key));
}

const statusMembers = ['phase', 'reason', 'message', 'nominatedNodeName', 'qosClass', 'resourceClaimStatuses'];

/** A pod's status as far as every kubelet or simulation writes the same. */
export function plainPodStatus(status: JsonObject): JsonObject {
  const plain: Record<string, Json> = pick(status, (name, value) => statusMembers.includes(name) && value !== '');
  if (status['conditions'])
    plain['conditions'] = objectsAt(status, 'conditions')
      .filter(({ type }) => type !== 'PodReadyToStartContainers')
      .map((condition) =>
        pick(condition, (name, value) => ['type', 'status'].includes(name) || (['reason', 'message'].includes(name) && value !== '')),
      )
      .sort(byText((condition) => textAt(condition, 'type')));
  if (status['containerStatuses']) plain['containers'] = objectsAt(status, 'containerStatuses').map(describeContainer).sort();
  return plain;
}

function describeContainer(status: JsonObject): string {
  const [state = 'none'] = Object.keys(objectAt(status, 'state'));
  const { exitCode, reason } = objectAt(status, 'state', state);
  const parts = [
    textAt(status, 'name'),
    state,
    exitCode === undefined ? '' : `exit ${exitCode}`,
    textAt(reason),
    status['ready'] === true ? 'ready' : 'not ready',
    `restarts ${textAt(status, 'restartCount')}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}
