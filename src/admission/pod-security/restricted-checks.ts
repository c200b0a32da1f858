import { forbiddenSeccomp, isConfined, seccompTypeOf } from './baseline-checks.ts';
import type { Check } from './check.ts';
import {
  type AnySecurityContext,
  type ContainerView,
  formatContainers,
  formatSubjects,
  type PodView,
  pluralize,
  quotedList,
  sortedSet,
} from './pod-view.ts';

/** Since this minor release, checks without meaning on Windows skip Windows pods. */
const windowsSince = 25;

/** Additional checks of the level `restricted`, in order of upstream's check IDs. */
export const restrictedChecks: readonly Check[] = [
  { id: 'allowPrivilegeEscalation', since: 8, notOnWindowsSince: windowsSince, run: allowPrivilegeEscalation },
  { id: 'capabilities_restricted', since: 22, replaces: 'capabilities_baseline', notOnWindowsSince: windowsSince, run: capabilities },
  { id: 'restrictedVolumes', since: 0, replaces: 'hostPathVolumes', run: volumes },
  { id: 'runAsNonRoot', since: 0, run: runAsNonRoot },
  { id: 'runAsUser', since: 23, run: runAsUser },
  { id: 'seccompProfile_restricted', since: 19, replaces: 'seccompProfile_baseline', notOnWindowsSince: windowsSince, run: seccompProfile },
];

type Violation = ReturnType<Check['run']>;

function allowPrivilegeEscalation({ containers }: PodView): Violation {
  const bad = containers.filter(({ security }) => security.allowPrivilegeEscalation !== false).map(({ name }) => name);
  if (bad.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${formatContainers(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
}

function capabilities({ containers }: PodView): Violation {
  const added = ({ capabilities }: ContainerView['security']): readonly string[] =>
    (capabilities?.add ?? []).filter((one) => one !== 'NET_BIND_SERVICE');
  const notDropping = containers.filter(({ security }) => !security.capabilities?.drop?.includes('ALL')).map(({ name }) => name);
  const adding = containers.filter(({ security }) => added(security).length > 0);
  const details = [
    ...(notDropping.length > 0 ? [`${formatContainers(notDropping)} must set securityContext.capabilities.drop=["ALL"]`] : []),
    ...(adding.length > 0
      ? [
          `${formatContainers(adding.map(({ name }) => name))} must not include ${quotedList(
            sortedSet(adding.flatMap(({ security }) => added(security))),
          )} in securityContext.capabilities.add`,
        ]
      : []),
  ];
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
}

const allowedVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
] as const;
const knownVolumes: ReadonlySet<string> = new Set([
  ...['hostPath', 'gcePersistentDisk', 'awsElasticBlockStore', 'gitRepo', 'nfs', 'iscsi', 'glusterfs', 'rbd', 'flexVolume', 'cinder'],
  ...['cephfs', 'flocker', 'fc', 'azureFile', 'vsphereVolume', 'quobyte', 'azureDisk', 'photonPersistentDisk', 'portworxVolume'],
  ...['scaleIO', 'storageos'],
]);

function volumes({ spec }: PodView): Violation {
  const bad = (spec.volumes ?? []).filter((volume) => !allowedVolumes.some((source) => volume[source] !== undefined));
  if (bad.length === 0) return undefined;
  const types = sortedSet(bad.map((volume) => Object.keys(volume).find((field) => knownVolumes.has(field)) ?? 'unknown'));
  const names = quotedList(bad.map(({ name = '' }) => name));
  return {
    reason: 'restricted volume types',
    detail: `${pluralize('volume', bad.length)} ${names} ${pluralize('uses', bad.length, 'use')} ${pluralize('restricted volume type', types.length)} ${quotedList(types)}`,
  };
}

function runAsNonRoot({ security, containers }: PodView): Violation {
  const explicit = containers.filter((one) => one.security.runAsNonRoot === false).map(({ name }) => name);
  const ofPod = security.runAsNonRoot === false;
  const reason = 'runAsNonRoot != true';
  if (ofPod || explicit.length > 0)
    return { reason, detail: `${formatSubjects(ofPod, explicit)} must not set securityContext.runAsNonRoot=false` };
  if (security.runAsNonRoot === true) return undefined;
  const silent = containers.filter((one) => one.security.runAsNonRoot === undefined).map(({ name }) => name);
  return silent.length === 0
    ? undefined
    : { reason, detail: `pod or ${formatContainers(silent)} must set securityContext.runAsNonRoot=true` };
}

function runAsUser({ security, containers }: PodView): Violation {
  const isRoot = ({ runAsUser }: AnySecurityContext): boolean => runAsUser === 0;
  const bad = containers.filter((one) => isRoot(one.security)).map(({ name }) => name);
  if (!isRoot(security) && bad.length === 0) return undefined;
  return { reason: 'runAsUser=0', detail: `${formatSubjects(isRoot(security), bad)} must not set runAsUser=0` };
}

function seccompProfile(pod: PodView): Violation {
  const forbidden = forbiddenSeccomp(pod);
  if (forbidden || isConfined(seccompTypeOf(pod.security))) return forbidden;
  const silent = pod.containers.filter((one) => seccompTypeOf(one.security) === undefined).map(({ name }) => name);
  if (silent.length === 0) return undefined;
  const detail = `pod or ${formatContainers(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
  return { reason: 'seccompProfile', detail };
}
