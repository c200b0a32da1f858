import { type JsonObject, objectsAt, recordAt } from '../../../meta/index.ts';

/** How a debug container runs: in a pod of its own on a node, in a copy of a pod, or as an ephemeral container of a pod. */
export type DebugStyle = 'node' | 'copy' | 'ephemeral';

/** What a copy retains of the pod, with all profiles but `legacy`. */
export interface RetainedParts {
  readonly labels: boolean;
  readonly annotations: boolean;
  readonly liveness: boolean;
  readonly readiness: boolean;
  readonly startup: boolean;
  readonly initContainers: boolean;
}

interface Profile {
  /** The security context of the debug container; undefined for none. */
  readonly securityContext: (before: JsonObject | undefined, style: DebugStyle) => JsonObject | undefined;
  /** Whether a pod on a node mounts its root file system at `/host`. */
  readonly mountsRoot: boolean;
  /** Whether a pod on a node uses its network, processes and IPC. */
  readonly usesHostNamespaces: boolean;
}

const restrictedContext: JsonObject = {
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
  allowPrivilegeEscalation: false,
  seccompProfile: { type: 'RuntimeDefault' },
};

/** By the value of `--profile`. Cf. pkg/cmd/debug/profiles.go. */
const profiles: Readonly<Record<string, Profile>> = {
  legacy: { securityContext: (before) => before, mountsRoot: true, usesHostNamespaces: true },
  general: {
    securityContext: (before, style) => (style === 'node' ? undefined : withCapabilities(before, 'SYS_PTRACE')),
    mountsRoot: true,
    usesHostNamespaces: true,
  },
  baseline: { securityContext: () => undefined, mountsRoot: false, usesHostNamespaces: false },
  restricted: { securityContext: () => restrictedContext, mountsRoot: false, usesHostNamespaces: false },
  netadmin: { securityContext: (before) => withCapabilities(before, 'NET_ADMIN', 'NET_RAW'), mountsRoot: false, usesHostNamespaces: true },
  sysadmin: { securityContext: (before) => ({ ...before, privileged: true }), mountsRoot: true, usesHostNamespaces: true },
};

export const isDebugProfile = (name: string): boolean => Object.hasOwn(profiles, name);

/** The pod after a profile has changed it and its debug container. */
export function applyProfile(name: string, pod: JsonObject, container: string, style: DebugStyle, retained: RetainedParts): JsonObject {
  const profile = profiles[name];
  if (!profile) return pod;
  const { securityContext, mountsRoot, usesHostNamespaces } = profile;
  const secured = changeContainer(pod, container, ({ securityContext: before, ...others }) => {
    const after = securityContext(before as JsonObject | undefined, style);
    return after === undefined ? others : { ...others, securityContext: after };
  });
  if (style === 'copy') return name === 'legacy' ? withoutMetadata(secured, 'labels') : reduceCopy(secured, retained);
  if (style === 'ephemeral') return secured;
  const mounted = mountsRoot ? mountRoot(secured, container) : secured;
  const host = usesHostNamespaces ? { hostNetwork: true, hostPID: true, hostIPC: true } : {};
  return { ...mounted, spec: { ...recordAt(mounted, 'spec'), ...host } };
}

function withCapabilities(context: JsonObject | undefined, ...added: readonly string[]): JsonObject {
  const capabilities = recordAt(context, 'capabilities');
  const before = Array.isArray(capabilities['add']) ? capabilities['add'] : [];
  return { ...context, capabilities: { ...capabilities, add: [...before, ...added] } };
}

/** Changes a container in whichever list has it. */
function changeContainer(pod: JsonObject, name: string, change: (container: JsonObject) => JsonObject): JsonObject {
  const spec = { ...recordAt(pod, 'spec') };
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    if (spec[list] === undefined) continue;
    spec[list] = objectsAt(spec, list).map((container) => (container['name'] === name ? change(container) : container));
  }
  return { ...pod, spec };
}

function mountRoot(pod: JsonObject, container: string): JsonObject {
  const mounted = changeContainer(pod, container, (one) => ({
    ...one,
    volumeMounts: [...objectsAt(one, 'volumeMounts'), { name: 'host-root', mountPath: '/host' }],
  }));
  const spec = recordAt(mounted, 'spec');
  return { ...mounted, spec: { ...spec, volumes: [...objectsAt(spec, 'volumes'), { name: 'host-root', hostPath: { path: '/' } }] } };
}

function withoutMetadata(pod: JsonObject, member: 'labels' | 'annotations'): JsonObject {
  const { [member]: _, ...metadata } = recordAt(pod, 'metadata');
  return { ...pod, metadata };
}

function reduceCopy(pod: JsonObject, retained: RetainedParts): JsonObject {
  const labeled = retained.labels ? pod : withoutMetadata(pod, 'labels');
  const annotated = retained.annotations ? labeled : withoutMetadata(labeled, 'annotations');
  const { initContainers, ...spec } = recordAt(annotated, 'spec');
  const probes = [
    ...(retained.liveness ? [] : ['livenessProbe']),
    ...(retained.readiness ? [] : ['readinessProbe']),
    ...(retained.startup ? [] : ['startupProbe']),
  ];
  const containers = objectsAt(spec, 'containers').map((container) =>
    Object.fromEntries(Object.entries(container).filter(([member]) => !probes.includes(member))),
  );
  return {
    ...annotated,
    spec: {
      ...spec,
      ...(retained.initContainers && initContainers !== undefined ? { initContainers } : {}),
      containers,
      shareProcessNamespace: spec['shareProcessNamespace'] ?? true,
    },
  };
}
