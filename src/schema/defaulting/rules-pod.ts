import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import type { corev1 } from '../api/index.ts';
import { isPodLevelResource, sumPodResources } from '../sum-pod-resources.ts';
import { listAt, optionalRecordAt, recordAt } from '../validation/accessors.ts';
import type { Decoded } from '../validation/decoded.ts';
import { addMissing, isAbsent, type Rules, setDefault } from './defaulting-rule.ts';

const component = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const domainPart = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const domain = `(?:${domainPart}(?:\\.${domainPart})*|\\[[0-9a-fA-F:]+\\])(?::[0-9]+)?`;
const imageName = new RegExp(`^((?:${domain}/)?${component}(?:/${component})*)(?::([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(@.+)?$`);

/** Of a repository without its domain; longer ones are invalid. Cf. github.com/distribution/reference. */
const maxPathLength = 255;

/** The repository with the defaults of Docker Hub, without its domain. */
function pathOf(name: string): string {
  const [first = '', ...rest] = name.split('/');
  if (rest.length === 0) return `library/${name}`;
  return /[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase() ? rest.join('/') : name;
}

/** `Always` for tags that may change. */
function defaultPullPolicy(image: string): string {
  const match = imageName.exec(image);
  if (!match) return 'IfNotPresent';
  const [, name = '', tag, digest] = match;
  if (pathOf(name).length > maxPathLength) return 'IfNotPresent';
  return tag === 'latest' || (tag === undefined && digest === undefined) ? 'Always' : 'IfNotPresent';
}

const defaultContainer = (container: Decoded<corev1.Container>): JsonObject =>
  isAbsent(container.imagePullPolicy) ? { ...container, imagePullPolicy: defaultPullPolicy(container.image ?? '') } : container;

export const containerRules: Rules = {
  'core/v1.Container': defaultContainer,
  'core/v1.EphemeralContainer': defaultContainer,
  /** A volume without a source is an empty directory. */
  'core/v1.Volume': (volume) => (Object.keys(volume).every((key) => key === 'name') ? { ...volume, emptyDir: {} } : volume),
};

/** In the names of all products. */
const removedAnnotation = /^pod\.(?:alpha|beta)\.[^/]+\/init-container(?:s|-statuses)$/;

/** Annotations that became fields are not stored (upstream dropInitContainerAnnotations). */
function withoutRemovedAnnotations(object: Decoded<corev1.PodTemplateSpec>): JsonObject {
  const annotations = object.metadata?.annotations;
  if (!annotations || !Object.keys(annotations).some((key) => removedAnnotation.test(key))) return object;
  const left = Object.entries(annotations).filter(([key]) => !removedAnnotation.test(key));
  const { annotations: _, ...others } = object.metadata ?? {};
  return { ...object, metadata: left.length === 0 ? others : { ...others, annotations: Object.fromEntries(left) } };
}

/** Sets the deprecated field together with its successor (upstream conversion of v1.PodSpec). */
const syncAccountNames = (spec: Decoded<corev1.PodSpec>): JsonObject => {
  const { serviceAccountName: name = '', serviceAccount: old = '' } = spec;
  if (name === '') return old === '' ? spec : { ...spec, serviceAccountName: old };
  return name === old ? spec : { ...spec, serviceAccount: name };
};

/** Defaults of pods that pod templates do not have. */
export const podRules: Rules = {
  'core/v1.PodSpec': syncAccountNames,
  'core/v1.PodStatus': syncPodIps,
  'core/v1.PodTemplateSpec': withoutRemovedAnnotations,
  'core/v1.Pod': (given) => {
    const pod = withoutRemovedAnnotations(given);
    const spec = optionalRecordAt(pod, 'spec');
    if (!spec) return pod;
    let next = replaceNegativeGrace(setDefault(spec, 'enableServiceLinks', true));
    for (const list of ['containers', 'initContainers']) {
      next = mapListItems(next, list, defaultRequests);
      if (next['hostNetwork'] === true) next = mapListItems(next, list, defaultHostPorts);
    }
    next = defaultPodLevelRequests(next);
    return next === spec ? pod : { ...pod, spec: next };
  },
};

/** Upstream's conversion replaces a negative grace period in pods, but not in templates. */
function replaceNegativeGrace(spec: Decoded<corev1.PodSpec>): JsonObject {
  return (spec.terminationGracePeriodSeconds ?? 0) < 0 ? { ...spec, terminationGracePeriodSeconds: 1 } : spec;
}

/** Synchronizes `podIP` with the first of `podIPs`; the single field wins when they differ (upstream conversion). */
function syncPodIps(status: Decoded<corev1.PodStatus>): JsonObject {
  const first = status.podIPs?.[0]?.ip ?? '';
  const single = status.podIP ?? '';
  if (single === first) return status;
  return single === '' ? { ...status, podIP: first } : { ...status, podIPs: [{ ip: single }] };
}

function mapListItems(object: JsonObject, name: string, change: (item: JsonObject) => JsonObject): JsonObject {
  const list = listAt(object, name);
  const changed = list.map((item) => (isJsonObject(item) ? change(item) : item));
  return changed.every((item, index) => item === list[index]) ? object : { ...object, [name]: changed };
}

function defaultRequests(container: JsonObject): JsonObject {
  const resources = recordAt(container, 'resources');
  const [limits, requests] = [recordAt(resources, 'limits'), recordAt(resources, 'requests')];
  const all = addMissing(requests, limits);
  return all === requests ? container : { ...container, resources: sortResources({ ...resources, requests: all }) };
}

function defaultHostPorts(container: JsonObject): JsonObject {
  return mapListItems(container, 'ports', (port: Decoded<corev1.ContainerPort>) => {
    const { hostPort, containerPort } = port;
    return !hostPort && containerPort !== undefined ? sortPort({ ...port, hostPort: containerPort }) : port;
  });
}

/** In order of declaration: these structs have no other order. */
function sortResources({ limits, requests, claims }: { readonly [name: string]: Json | undefined }): JsonObject {
  return { ...(limits ? { limits } : {}), ...(requests ? { requests } : {}), ...(claims ? { claims } : {}) };
}

function sortPort(port: JsonObject): JsonObject {
  const ordered: Record<string, Json> = {};
  for (const name of ['name', 'hostPort', 'containerPort', 'protocol', 'hostIP']) {
    const value = port[name];
    if (value !== undefined) ordered[name] = value;
  }
  return ordered;
}

/** Limits of the pod set default requests of the pod (gate PodLevelResources). */
function defaultPodLevelRequests(spec: Decoded<corev1.PodSpec>): JsonObject {
  const { resources } = spec;
  if (Object.keys(resources?.limits ?? {}).length === 0) return spec;
  const limits = addMissing(resources?.limits ?? {}, hugePageAmounts(sumPodResources(spec, 'limits')));
  const ofContainers = podLevelAmounts(sumPodResources(spec, 'requests'));
  const requests = addMissing(addMissing(resources?.requests ?? {}, ofContainers), podLevelAmounts(limits));
  const defaulted = Object.keys(requests).length > 0 ? { requests } : {};
  return { ...spec, resources: sortResources({ ...resources, limits, ...defaulted }) };
}

function podLevelAmounts(amounts: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => isPodLevelResource(name)));
}

function hugePageAmounts(amounts: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => name.startsWith('hugepages-')));
}
