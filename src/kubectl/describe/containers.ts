import type { JsonObject } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { JsonPath } from '../printers/jsonpath.ts';
import { formatTime, type Report } from './report.ts';

/** Ephemeral containers have the same members. */
type Container = Decoded<corev1.Container>;
type ContainerStatus = Decoded<corev1.ContainerStatus>;

export interface ContainersOptions {
  readonly label: string;
  readonly containers: readonly Container[];
  readonly statuses: readonly ContainerStatus[];
  /** Indentation of the label; container names are indented one level more when it is not empty. */
  readonly space: string;
  /** The pod that field references are resolved against. */
  readonly pod?: JsonObject;
}

export function writeContainers(report: Report, { label, containers, statuses, space, pod }: ContainersOptions): void {
  report.line(0, `${space}${label}:${containers.length === 0 ? ' <none>' : ''}`);
  for (const container of containers) {
    const status = statuses.find(({ name }) => name === container.name);
    writeBasics(report, container, status, space === '' ? '' : ' ');
    writeWords(report, 'Command', container.command);
    writeWords(report, 'Args', container.args);
    if (status) writeState(report, status);
    writeResources(report, container.resources, 2);
    const { livenessProbe, readinessProbe, startupProbe, envFrom = [] } = container;
    if (livenessProbe) report.line(2, 'Liveness:', probeText(livenessProbe));
    if (readinessProbe) report.line(2, 'Readiness:', probeText(readinessProbe));
    if (startupProbe) report.line(2, 'Startup:', probeText(startupProbe));
    if (envFrom.length > 0) writeEnvFrom(report, envFrom);
    writeEnv(report, container, pod);
    writeMounts(report, container);
  }
}

function writeBasics(report: Report, container: Container, status: ContainerStatus | undefined, margin: string): void {
  report.line(1, `${margin}${container.name ?? ''}:`);
  if (status) report.line(2, 'Container ID:', status.containerID);
  report.line(2, 'Image:', container.image);
  if (status) report.line(2, 'Image ID:', status.imageID);
  const { ports = [] } = container;
  for (const [title, member] of [
    ['Port', 'containerPort'],
    ['Host Port', 'hostPort'],
  ] as const) {
    const texts = ports.map((port) => `${port[member] ?? 0}/${port.protocol || 'TCP'}${port.name ? ` (${port.name})` : ''}`);
    report.line(2, `${title}${texts.length > 1 ? 's' : ''}:`, texts.join(', ') || '<none>');
  }
  const { type, localhostProfile } = container.securityContext?.seccompProfile ?? {};
  report.optional(2, 'SeccompProfile:', type);
  if (type === 'Localhost') report.line(3, 'LocalhostProfile:', localhostProfile);
}

function writeWords(report: Report, title: string, words: readonly string[] = []): void {
  if (words.length === 0) return;
  report.line(2, `${title}:`);
  for (const word of words) for (const line of word.split('\n')) report.line(3, line);
}

function writeState(report: Report, { state = {}, lastState = {}, ready, restartCount = 0 }: ContainerStatus): void {
  writeOneState(report, 'State', state);
  if (lastState.terminated) writeOneState(report, 'Last State', lastState);
  report.line(2, 'Ready:', ready ? 'True' : 'False');
  report.line(2, 'Restart Count:', restartCount);
}

function writeOneState(report: Report, title: string, { running, terminated, waiting }: Decoded<corev1.ContainerState>): void {
  if (running) {
    report.line(2, `${title}:`, 'Running');
    report.line(3, 'Started:', formatTime(running.startedAt));
  } else if (terminated && !waiting) {
    report.line(2, `${title}:`, 'Terminated');
    report.optional(3, 'Reason:', terminated.reason);
    report.optional(3, 'Message:', terminated.message);
    report.line(3, 'Exit Code:', terminated.exitCode ?? 0);
    if ((terminated.signal ?? 0) > 0) report.line(3, 'Signal:', terminated.signal);
    report.line(3, 'Started:', formatTime(terminated.startedAt));
    report.line(3, 'Finished:', formatTime(terminated.finishedAt));
  } else {
    report.line(2, `${title}:`, 'Waiting');
    report.optional(3, 'Reason:', waiting?.reason);
  }
}

export function writeResources(report: Report, resources: Decoded<corev1.ResourceRequirements> = {}, level: number): void {
  for (const [title, member] of [
    ['Limits', 'limits'],
    ['Requests', 'requests'],
  ] as const) {
    const quantities = resources[member] ?? {};
    const names = Object.keys(quantities).sort();
    if (names.length > 0) report.line(level, `${title}:`);
    for (const name of names) report.line(level + 1, `${name}:`, String(quantities[name]));
  }
}

function probeText(probe: Decoded<corev1.Probe>): string {
  const { initialDelaySeconds = 0, timeoutSeconds = 0, periodSeconds = 0, successThreshold = 0, failureThreshold = 0 } = probe;
  const numbers = `delay=${initialDelaySeconds}s timeout=${timeoutSeconds}s period=${periodSeconds}s #success=${successThreshold} #failure=${failureThreshold}`;
  const { exec, httpGet, tcpSocket, grpc } = probe;
  if (exec) return `exec [${(exec.command ?? []).join(' ')}] ${numbers}`;
  if (httpGet) {
    const { scheme, host = '', port = '', path = '' } = httpGet;
    return `http-get ${(scheme || 'HTTP').toLowerCase()}://${host}:${port}${path.startsWith('/') || path === '' ? path : `/${path}`} ${numbers}`;
  }
  if (tcpSocket) return `tcp-socket ${tcpSocket.host ?? ''}:${tcpSocket.port ?? ''} ${numbers}`;
  if (grpc) return `grpc <pod>:${grpc.port ?? ''} ${grpc.service ?? ''} ${numbers}`;
  return `unknown ${numbers}`;
}

function writeEnvFrom(report: Report, sources: readonly Decoded<corev1.EnvFromSource>[]): void {
  report.line(2, 'Environment Variables from:');
  for (const { configMapRef, secretRef, prefix } of sources) {
    const { name, optional = false } = configMapRef ?? secretRef ?? {};
    const kind = configMapRef ? 'ConfigMap' : 'Secret';
    report.line(3, name, `${kind}${prefix ? ` with prefix '${prefix}'` : ''}`, `Optional: ${optional}`);
  }
}

function writeEnv(report: Report, container: Container, pod: JsonObject | undefined): void {
  const { env = [] } = container;
  report.line(2, 'Environment:', ...(env.length === 0 ? ['<none>'] : []));
  for (const { name = '', value = '', valueFrom } of env) {
    if (!valueFrom) {
      const [first = '', ...more] = value.split('\n');
      report.line(3, `${name}:`, first);
      for (const line of more) report.line(3, '', line);
    } else if (valueFrom.fieldRef) {
      const { apiVersion, fieldPath = '' } = valueFrom.fieldRef;
      report.line(3, `${name}:`, `${valueAt(pod, fieldPath)} (${apiVersion || 'v1'}:${fieldPath})`);
    } else if (valueFrom.resourceFieldRef) {
      const { resource = '' } = valueFrom.resourceFieldRef;
      report.line(3, `${name}:`, `${resourceValue(container, resource)} (${resource})`);
    } else {
      const { secretKeyRef, configMapKeyRef } = valueFrom;
      const { name: of = '', key = '', optional = false } = secretKeyRef ?? configMapKeyRef ?? {};
      const where = secretKeyRef ? `in secret '${of}'` : `of config map '${of}'`;
      report.line(3, `${name}:`, `<set to the key '${key}' ${where}>`, `Optional: ${optional}`);
    }
  }
}

function valueAt(pod: JsonObject | undefined, path: string): string {
  if (!pod) return '';
  const found = new JsonPath(`{.${path.replace(/\['([^']*)'\]/, (_, key: string) => `.${key.replaceAll('.', '\\.')}`)}}`).results(
    pod,
  )[0]?.[0];
  return found === undefined || found === null ? '' : String(found);
}

function resourceValue({ resources = {} }: Container, path: string): string {
  const [section = '', ...rest] = path.split('.');
  const amounts = section === 'limits' || section === 'requests' ? resources[section] : undefined;
  const found = amounts?.[rest.join('.')];
  if (found) return found;
  return path === 'limits.cpu' || path === 'limits.memory' ? 'node allocatable' : '0';
}

function writeMounts(report: Report, { volumeMounts = [], volumeDevices: devices = [] }: Container): void {
  const mounts = volumeMounts.toSorted((left, right) => ((left.mountPath ?? '') < (right.mountPath ?? '') ? -1 : 1));
  report.line(2, 'Mounts:', ...(mounts.length === 0 ? ['<none>'] : []));
  for (const { name = '', mountPath = '', subPath, readOnly } of mounts) {
    const how = [readOnly ? 'ro' : 'rw', ...(subPath ? [`path=${JSON.stringify(subPath)}`] : [])].join();
    report.line(3, `${mountPath} from ${name} (${how})`);
  }
  if (devices.length === 0) return;
  report.line(2, 'Devices:', ...(mounts.length === 0 ? ['<none>'] : []));
  for (const { name = '', devicePath = '' } of devices) report.line(3, `${devicePath} from ${name}`);
}
