import type { Check } from './check.ts';
import {
  type AnySecurityContext,
  type Container,
  type ContainerView,
  formatContainers,
  formatSubjects,
  type PodView,
  pluralize,
  quotedList,
  sortedSet,
} from './pod-view.ts';

/** Checks of the level `baseline`, in order of upstream's check IDs. */
export const baselineChecks: readonly Check[] = [
  { id: 'appArmorProfile', since: 0, run: appArmorProfile },
  { id: 'capabilities_baseline', since: 0, run: capabilities },
  { id: 'hostNamespaces', since: 0, run: hostNamespaces },
  { id: 'hostPathVolumes', since: 0, run: hostPathVolumes },
  { id: 'hostPorts', since: 0, run: hostPorts },
  { id: 'hostProbesAndHostLifecycle', since: 34, run: hostProbes },
  { id: 'privileged', since: 0, run: privileged },
  { id: 'procMount', since: 0, run: procMount },
  { id: 'seLinuxOptions', since: 0, run: seLinuxOptions },
  { id: 'seccompProfile_baseline', since: 0, run: seccompProfile },
  { id: 'sysctls', since: 0, run: sysctls },
  { id: 'windowsHostProcess', since: 0, run: windowsHostProcess },
];

type Violation = ReturnType<Check['run']>;

function appArmorProfile({ security, containers, annotations }: PodView): Violation {
  const typeOf = ({ appArmorProfile }: AnySecurityContext): string | undefined => appArmorProfile && (appArmorProfile.type ?? '');
  const isBad = (type: string | undefined): type is string => type !== undefined && type !== 'RuntimeDefault' && type !== 'Localhost';
  const bad = containers.filter((one) => isBad(typeOf(one.security)));
  const types = sortedSet([security, ...containers.map((one) => one.security)].map(typeOf).filter(isBad));
  // These annotations predate the field; their names are upstream's under every product.
  const old = Object.entries(annotations)
    .filter(([key, value]) => key.startsWith('container.apparmor.security.beta.kubernetes.io/') && !isKnownProfile(value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort();
  const subjects = [
    ...(isBad(typeOf(security)) || bad.length > 0
      ? [
          formatSubjects(
            isBad(typeOf(security)),
            bad.map(({ name }) => name),
          ),
        ]
      : []),
    ...(old.length > 0 ? [pluralize('annotation', old.length)] : []),
  ];
  if (subjects.length === 0) return undefined;
  const values = [...types, ...old];
  return {
    reason: pluralize('forbidden AppArmor profile', values.length),
    detail: `${subjects.join(' and ')} must not set AppArmor profile type to ${quotedList(values)}`,
  };
}

function isKnownProfile(value: string): boolean {
  return value === '' || value === 'runtime/default' || value.startsWith('localhost/');
}

const commonCapabilities: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

type SecurityContext = ContainerView['security'];

function capabilities({ containers }: PodView): Violation {
  const addedCapabilities = (security: SecurityContext): readonly string[] =>
    (security.capabilities?.add ?? []).filter((one) => !commonCapabilities.has(one));
  const bad = containers.filter(({ security }) => addedCapabilities(security).length > 0);
  if (bad.length === 0) return undefined;
  const all = sortedSet(bad.flatMap(({ security }) => addedCapabilities(security)));
  const subjects = formatContainers(bad.map(({ name }) => name));
  return {
    reason: 'non-default capabilities',
    detail: `${subjects} must not include ${quotedList(all)} in securityContext.capabilities.add`,
  };
}

function hostNamespaces({ spec }: PodView): Violation {
  const used = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec[field]);
  return used.length === 0 ? undefined : { reason: 'host namespaces', detail: used.map((field) => `${field}=true`).join(', ') };
}

function hostPathVolumes({ spec }: PodView): Violation {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined).map(({ name = '' }) => name);
  return names.length === 0
    ? undefined
    : { reason: 'hostPath volumes', detail: `${pluralize('volume', names.length)} ${quotedList(names)}` };
}

function hostPorts({ containers }: PodView): Violation {
  const portsOf = ({ ports = [] }: Container): readonly string[] => ports.flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : []));
  const bad = containers.filter(({ container }) => portsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const ports = sortedSet(bad.flatMap(({ container }) => portsOf(container)));
  const subjects = formatContainers(bad.map(({ name }) => name));
  const uses = `${pluralize('uses', bad.length, 'use')} ${pluralize('hostPort', ports.length)}`;
  return { reason: 'hostPort', detail: `${subjects} ${uses} ${ports.join(', ')}` };
}

/** Hosts in probes and lifecycle hooks that replace the pod's own address. */
function hostsOf({ livenessProbe, readinessProbe, startupProbe, lifecycle }: Container): readonly string[] {
  const handlers = [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop];
  return handlers.flatMap((handler) => [handler?.httpGet?.host, handler?.tcpSocket?.host].filter((host) => host)) as string[];
}

function hostProbes({ containers }: PodView): Violation {
  const bad = containers.filter(({ container }) => hostsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const hosts = sortedSet(bad.flatMap(({ container }) => hostsOf(container)));
  const names = sortedSet(bad.map(({ name }) => name));
  const uses = `${pluralize('uses', names.length, 'use')} ${pluralize('probe or lifecycle host', hosts.length)}`;
  return { reason: 'probe or lifecycle host', detail: `${formatContainers(names)} ${uses} ${quotedList(hosts)}` };
}

function privileged({ containers }: PodView): Violation {
  const bad = containers.filter(({ security }) => security.privileged).map(({ name }) => name);
  return bad.length === 0
    ? undefined
    : { reason: 'privileged', detail: `${formatContainers(bad)} must not set securityContext.privileged=true` };
}

function procMount({ containers }: PodView): Violation {
  const typeOf = ({ procMount }: SecurityContext): string => procMount || 'Default';
  const bad = containers.filter(({ security }) => typeOf(security) !== 'Default');
  if (bad.length === 0) return undefined;
  const types = sortedSet(bad.map(({ security }) => typeOf(security)));
  const subjects = formatContainers(bad.map(({ name }) => name));
  return { reason: 'procMount', detail: `${subjects} must not set securityContext.procMount to ${quotedList(types)}` };
}

const seLinuxTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t'];
const engineTypeSince = 31;

type SeLinuxOptions = NonNullable<AnySecurityContext['seLinuxOptions']>;

function seLinuxOptions({ security, containers }: PodView, minor: number): Violation {
  const allowed = minor >= engineTypeSince ? [...seLinuxTypes, 'container_engine_t'] : seLinuxTypes;
  const optionsOf = ({ seLinuxOptions = {} }: AnySecurityContext): SeLinuxOptions => seLinuxOptions;
  const isBad = ({ type = '', user = '', role = '' }: SeLinuxOptions): boolean => !allowed.includes(type) || user !== '' || role !== '';
  const bad = containers.filter((one) => isBad(optionsOf(one.security)));
  const ofPod = isBad(optionsOf(security));
  if (!ofPod && bad.length === 0) return undefined;
  const all = [optionsOf(security), ...bad.map((one) => optionsOf(one.security))];
  const types = sortedSet(all.map(({ type = '' }) => type).filter((type) => !allowed.includes(type)));
  const what = [
    ...(types.length > 0 ? [`${pluralize('type', types.length)} ${quotedList(types)}`] : []),
    ...(['user', 'role'] as const).filter((field) => all.some((options) => options[field])).map((field) => `${field} may not be set`),
  ];
  const subjects = formatSubjects(
    ofPod,
    bad.map(({ name }) => name),
  );
  return { reason: 'seLinuxOptions', detail: `${subjects} set forbidden securityContext.seLinuxOptions: ${what.join('; ')}` };
}

/** Annotations predate the field. */
const seccompFieldSince = 19;

function seccompProfile(pod: PodView, minor: number): Violation {
  return minor < seccompFieldSince ? seccompAnnotations(pod) : forbiddenSeccomp(pod);
}

function seccompAnnotations({ annotations, containers }: PodView): Violation {
  const keys = [
    'seccomp.security.alpha.kubernetes.io/pod',
    ...containers.map(({ name }) => `container.seccomp.security.alpha.kubernetes.io/${name}`),
  ];
  const isKnown = (value: string): boolean => value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/');
  const bad = sortedSet(
    keys.flatMap((key) => {
      const value = annotations[key];
      return value === undefined || isKnown(value) ? [] : [`${key}=${JSON.stringify(value)}`];
    }),
  );
  if (bad.length === 0) return undefined;
  return { reason: 'seccompProfile', detail: `forbidden ${pluralize('annotation', bad.length)} ${bad.join(', ')}` };
}

export function seccompTypeOf({ seccompProfile }: AnySecurityContext): string | undefined {
  return seccompProfile && (seccompProfile.type ?? '');
}

export function isConfined(type: string | undefined): boolean {
  return type === 'Localhost' || type === 'RuntimeDefault';
}

export function forbiddenSeccomp({ security, containers }: PodView): Violation {
  const isBad = (context: AnySecurityContext): boolean => seccompTypeOf(context) !== undefined && !isConfined(seccompTypeOf(context));
  const bad = containers.filter((one) => isBad(one.security));
  const ofPod = isBad(security);
  if (!ofPod && bad.length === 0) return undefined;
  const types = sortedSet([...(ofPod ? [security] : []), ...bad.map((one) => one.security)].map((context) => seccompTypeOf(context) ?? ''));
  const subjects = formatSubjects(
    ofPod,
    bad.map(({ name }) => name),
  );
  return { reason: 'seccompProfile', detail: `${subjects} must not set securityContext.seccompProfile.type to ${quotedList(types)}` };
}

/** Sysctls confined to the pod, each with the minor release that first allowed it. */
const safeSysctls: Readonly<Record<string, number>> = {
  'kernel.shm_rmid_forced': 0,
  'net.ipv4.ip_local_port_range': 0,
  'net.ipv4.tcp_syncookies': 0,
  'net.ipv4.ping_group_range': 0,
  'net.ipv4.ip_unprivileged_port_start': 0,
  'net.ipv4.ip_local_reserved_ports': 27,
  'net.ipv4.tcp_keepalive_time': 29,
  'net.ipv4.tcp_fin_timeout': 29,
  'net.ipv4.tcp_keepalive_intvl': 29,
  'net.ipv4.tcp_keepalive_probes': 29,
  'net.ipv4.tcp_rmem': 32,
  'net.ipv4.tcp_wmem': 32,
};

function sysctls({ security }: PodView, minor: number): Violation {
  const bad = (security.sysctls ?? [])
    .map(({ name = '' }) => name)
    .filter((name) => minor < (safeSysctls[name] ?? Number.POSITIVE_INFINITY) || !Object.hasOwn(safeSysctls, name));
  return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
}

function windowsHostProcess({ security, containers }: PodView): Violation {
  const isHost = (context: AnySecurityContext): boolean => context.windowsOptions?.hostProcess === true;
  const bad = containers.filter((one) => isHost(one.security)).map(({ name }) => name);
  if (!isHost(security) && bad.length === 0) return undefined;
  const subjects = formatSubjects(isHost(security), bad);
  return { reason: 'hostProcess', detail: `${subjects} must not set securityContext.windowsOptions.hostProcess=true` };
}
