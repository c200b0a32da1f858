import { type JsonObject, objectsAt, recordAt } from '../../meta/index.ts';
import { JsonPath } from '../printers/jsonpath.ts';
import { textsOf } from '../resources/info.ts';
import { formatTime, type Report, textIn, textsIn } from './report.ts';

export interface ContainersOptions {
  readonly label: string;
  readonly containers: readonly JsonObject[];
  readonly statuses: readonly JsonObject[];
  /** Indentation of the label; container names are indented one level more when it is not empty. */
  readonly space: string;
  /** The pod that field references are resolved against. */
  readonly pod?: JsonObject;
}

export function writeContainers(report: Report, { label, containers, statuses, space, pod }: ContainersOptions): void {
  report.line(0, `${space}${label}:${containers.length === 0 ? ' <none>' : ''}`);
  for (const container of containers) {
    const status = statuses.find((one) => one['name'] === container['name']);
    writeBasics(report, container, status, space === '' ? '' : ' ');
    for (const [title, member] of [
      ['Command', 'command'],
      ['Args', 'args'],
    ] as const)
      writeWords(report, title, textsIn(container, member));
    if (status) writeState(report, status);
    writeResources(report, recordAt(container, 'resources'), 2);
    for (const [title, member] of [
      ['Liveness', 'livenessProbe'],
      ['Readiness', 'readinessProbe'],
      ['Startup', 'startupProbe'],
    ] as const) {
      if (container[member] !== undefined) report.line(2, `${title}:`, probeText(recordAt(container, member)));
    }
    if (objectsAt(container, 'envFrom').length > 0) writeEnvFrom(report, container);
    writeEnv(report, container, pod);
    writeMounts(report, container);
  }
}

function writeBasics(report: Report, container: JsonObject, status: JsonObject | undefined, margin: string): void {
  report.line(1, `${margin}${textIn(container, 'name')}:`);
  if (status) report.line(2, 'Container ID:', textIn(status, 'containerID'));
  report.line(2, 'Image:', textIn(container, 'image'));
  if (status) report.line(2, 'Image ID:', textIn(status, 'imageID'));
  const ports = objectsAt(container, 'ports');
  for (const [title, member] of [
    ['Port', 'containerPort'],
    ['Host Port', 'hostPort'],
  ] as const) {
    const texts = ports.map((port) => {
      const name = textIn(port, 'name');
      return `${textIn(port, member, '0')}/${textIn(port, 'protocol', 'TCP')}${name === '' ? '' : ` (${name})`}`;
    });
    report.line(2, `${title}${texts.length > 1 ? 's' : ''}:`, texts.join(', ') || '<none>');
  }
  const seccomp = recordAt(recordAt(container, 'securityContext'), 'seccompProfile');
  if (textIn(seccomp, 'type') !== '') {
    report.line(2, 'SeccompProfile:', textIn(seccomp, 'type'));
    if (seccomp['type'] === 'Localhost') report.line(3, 'LocalhostProfile:', textIn(seccomp, 'localhostProfile'));
  }
}

function writeWords(report: Report, title: string, words: readonly string[]): void {
  if (words.length === 0) return;
  report.line(2, `${title}:`);
  for (const word of words) for (const line of word.split('\n')) report.line(3, line);
}

function writeState(report: Report, status: JsonObject): void {
  writeOneState(report, 'State', recordAt(status, 'state'));
  const last = recordAt(status, 'lastState');
  if (last['terminated'] !== undefined) writeOneState(report, 'Last State', last);
  report.line(2, 'Ready:', status['ready'] === true ? 'True' : 'False');
  report.line(2, 'Restart Count:', textIn(status, 'restartCount', '0'));
}

function writeOneState(report: Report, title: string, state: JsonObject): void {
  if (state['running'] !== undefined) {
    report.line(2, `${title}:`, 'Running');
    report.line(3, 'Started:', formatTime(recordAt(state, 'running')['startedAt']));
  } else if (state['terminated'] !== undefined && state['waiting'] === undefined) {
    const ended = recordAt(state, 'terminated');
    report.line(2, `${title}:`, 'Terminated');
    if (textIn(ended, 'reason') !== '') report.line(3, 'Reason:', textIn(ended, 'reason'));
    if (textIn(ended, 'message') !== '') report.line(3, 'Message:', textIn(ended, 'message'));
    report.line(3, 'Exit Code:', textIn(ended, 'exitCode', '0'));
    if (Number(ended['signal'] ?? 0) > 0) report.line(3, 'Signal:', textIn(ended, 'signal'));
    report.line(3, 'Started:', formatTime(ended['startedAt']));
    report.line(3, 'Finished:', formatTime(ended['finishedAt']));
  } else {
    report.line(2, `${title}:`, 'Waiting');
    const reason = textIn(recordAt(state, 'waiting'), 'reason');
    if (reason !== '') report.line(3, 'Reason:', reason);
  }
}

export function writeResources(report: Report, resources: JsonObject, level: number): void {
  for (const [title, member] of [
    ['Limits', 'limits'],
    ['Requests', 'requests'],
  ] as const) {
    const quantities = textsOf(resources[member]);
    const names = Object.keys(quantities).sort();
    if (names.length > 0) report.line(level, `${title}:`);
    for (const name of names) report.line(level + 1, `${name}:`, String(quantities[name]));
  }
}

function probeText(probe: JsonObject): string {
  const numbers = `delay=${textIn(probe, 'initialDelaySeconds', '0')}s timeout=${textIn(probe, 'timeoutSeconds', '0')}s period=${textIn(probe, 'periodSeconds', '0')}s #success=${textIn(probe, 'successThreshold', '0')} #failure=${textIn(probe, 'failureThreshold', '0')}`;
  if (probe['exec'] !== undefined) return `exec [${textsIn(recordAt(probe, 'exec'), 'command').join(' ')}] ${numbers}`;
  if (probe['httpGet'] !== undefined) {
    const get = recordAt(probe, 'httpGet');
    const path = textIn(get, 'path');
    return `http-get ${textIn(get, 'scheme', 'HTTP').toLowerCase()}://${textIn(get, 'host')}:${textIn(get, 'port')}${path.startsWith('/') || path === '' ? path : `/${path}`} ${numbers}`;
  }
  if (probe['tcpSocket'] !== undefined)
    return `tcp-socket ${textIn(recordAt(probe, 'tcpSocket'), 'host')}:${textIn(recordAt(probe, 'tcpSocket'), 'port')} ${numbers}`;
  if (probe['grpc'] !== undefined)
    return `grpc <pod>:${textIn(recordAt(probe, 'grpc'), 'port')} ${textIn(recordAt(probe, 'grpc'), 'service')} ${numbers}`;
  return `unknown ${numbers}`;
}

function writeEnvFrom(report: Report, container: JsonObject): void {
  report.line(2, 'Environment Variables from:');
  for (const source of objectsAt(container, 'envFrom')) {
    const kind = source['configMapRef'] !== undefined ? 'ConfigMap' : 'Secret';
    const reference = recordAt(source, kind === 'ConfigMap' ? 'configMapRef' : 'secretRef');
    const prefix = textIn(source, 'prefix');
    report.line(
      3,
      textIn(reference, 'name'),
      `${kind}${prefix === '' ? '' : ` with prefix '${prefix}'`}`,
      `Optional: ${reference['optional'] === true}`,
    );
  }
}

function writeEnv(report: Report, container: JsonObject, pod: JsonObject | undefined): void {
  const env = objectsAt(container, 'env');
  report.line(2, ...(env.length === 0 ? ['Environment:', '<none>'] : ['Environment:']));
  for (const variable of env) {
    const name = textIn(variable, 'name');
    const from = recordAt(variable, 'valueFrom');
    if (variable['valueFrom'] === undefined) {
      const [first = '', ...more] = textIn(variable, 'value').split('\n');
      report.line(3, `${name}:`, first);
      for (const line of more) report.line(3, '', line);
    } else if (from['fieldRef'] !== undefined) {
      const reference = recordAt(from, 'fieldRef');
      const path = textIn(reference, 'fieldPath');
      report.line(3, `${name}:`, `${valueAt(pod, path)} (${textIn(reference, 'apiVersion', 'v1')}:${path})`);
    } else if (from['resourceFieldRef'] !== undefined) {
      const resource = textIn(recordAt(from, 'resourceFieldRef'), 'resource');
      report.line(3, `${name}:`, `${resourceValue(container, resource)} (${resource})`);
    } else {
      const secret = from['secretKeyRef'] !== undefined;
      const reference = recordAt(from, secret ? 'secretKeyRef' : 'configMapKeyRef');
      const where = secret ? `in secret '${textIn(reference, 'name')}'` : `of config map '${textIn(reference, 'name')}'`;
      report.line(3, `${name}:`, `<set to the key '${textIn(reference, 'key')}' ${where}>`, `Optional: ${reference['optional'] === true}`);
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

function resourceValue(container: JsonObject, path: string): string {
  const [section = '', ...rest] = path.split('.');
  const found = textIn(recordAt(recordAt(container, 'resources'), section), rest.join('.'));
  if (found !== '') return found;
  return path === 'limits.cpu' || path === 'limits.memory' ? 'node allocatable' : '0';
}

function writeMounts(report: Report, container: JsonObject): void {
  const mounts = [...objectsAt(container, 'volumeMounts')].sort((left, right) =>
    textIn(left, 'mountPath') < textIn(right, 'mountPath') ? -1 : 1,
  );
  report.line(2, ...(mounts.length === 0 ? ['Mounts:', '<none>'] : ['Mounts:']));
  for (const mount of mounts) {
    const path = textIn(mount, 'subPath');
    const how = [mount['readOnly'] === true ? 'ro' : 'rw', ...(path === '' ? [] : [`path=${JSON.stringify(path)}`])].join(',');
    report.line(3, `${textIn(mount, 'mountPath')} from ${textIn(mount, 'name')} (${how})`);
  }
  const devices = objectsAt(container, 'volumeDevices');
  if (devices.length === 0) return;
  report.line(2, ...(mounts.length === 0 ? ['Devices:', '<none>'] : ['Devices:']));
  for (const device of devices) report.line(3, `${textIn(device, 'devicePath')} from ${textIn(device, 'name')}`);
}
