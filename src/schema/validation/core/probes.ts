import { forbiddenField, invalid, isHttpHeaderName, type JsonObject, required } from '../../../meta/index.ts';
import { int64At, listAt, numberAt, objectsAt, optionalRecordAt, optionalTextAt, recordAt, textAt } from '../accessors.ts';
import { type Errors, nameErrors, none, nonNegativeAt, oneOf, portNumber, portNumberOrName } from '../checks.ts';
import type { PodParts } from './containers.ts';
import { stopSignal } from './stop-signal.ts';

/** Probes and lifecycle hooks of a container. Cf. upstream validateProbe, validateLifecycle. */
export function probesAndHooks(container: JsonObject, pod: Pick<PodParts, 'graceSeconds' | 'system'>, path: string): Errors {
  return [
    ...lifecycle(recordAt(container, 'lifecycle'), pod, `${path}.lifecycle`),
    ...livenessProbe(optionalRecordAt(container, 'livenessProbe'), `${path}.livenessProbe`),
    ...readinessProbe(optionalRecordAt(container, 'readinessProbe'), `${path}.readinessProbe`),
    ...livenessProbe(optionalRecordAt(container, 'startupProbe'), `${path}.startupProbe`),
  ];
}

function lifecycle(given: JsonObject, { graceSeconds, system }: Pick<PodParts, 'graceSeconds' | 'system'>, path: string): Errors {
  const hooks = ['postStart', 'preStop'].flatMap((hook) => {
    const action = optionalRecordAt(given, hook);
    return action ? handler(action, ['exec', 'httpGet', 'tcpSocket', 'sleep'], graceSeconds, `${path}.${hook}`) : none;
  });
  return [...hooks, ...stopSignal(optionalTextAt(given, 'stopSignal'), system, `${path}.stopSignal`)];
}

/** Liveness and startup probes allow only a successThreshold of 1. */
function livenessProbe(given: JsonObject | undefined, path: string): Errors {
  if (!given) return none;
  const successes = numberAt(given, 'successThreshold') ?? 0;
  return [...probe(given, path), ...(successes === 1 ? none : [invalid(`${path}.successThreshold`, successes, 'must be 1')])];
}

function readinessProbe(given: JsonObject | undefined, path: string): Errors {
  if (!given) return none;
  const grace = int64At(given, 'terminationGracePeriodSeconds');
  const field = `${path}.terminationGracePeriodSeconds`;
  return [...probe(given, path), ...(grace === undefined ? none : [invalid(field, grace, 'must not be set for readinessProbes')])];
}

const counts = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'] as const;

function probe(given: JsonObject, path: string): Errors {
  const grace = int64At(given, 'terminationGracePeriodSeconds');
  return [
    ...handler(given, ['exec', 'httpGet', 'tcpSocket', 'grpc'], 0, path),
    ...counts.flatMap((field) => nonNegativeAt(given, field, path)),
    ...(grace !== undefined && grace <= 0 ? [invalid(`${path}.terminationGracePeriodSeconds`, grace, 'must be greater than 0')] : none),
  ];
}

function handler(given: JsonObject, kinds: readonly string[], graceSeconds: number, path: string): Errors {
  const present = kinds.filter((kind) => optionalRecordAt(given, kind) !== undefined);
  if (present.length === 0) return [required(path, 'must specify a handler type')];
  return present.flatMap((kind, index) =>
    index > 0
      ? [forbiddenField(`${path}.${kind}`, 'may not specify more than 1 handler type')]
      : action(kind, recordAt(given, kind), graceSeconds, `${path}.${kind}`),
  );
}

function action(kind: string, given: JsonObject, graceSeconds: number, path: string): Errors {
  switch (kind) {
    case 'exec':
      return listAt(given, 'command').length === 0 ? [required(`${path}.command`, '')] : none;
    case 'httpGet':
      return [
        ...(textAt(given, 'path') === '' ? [required(`${path}.path`, '')] : none),
        ...portNumberOrName(given['port'], `${path}.port`),
        ...oneOf(textAt(given, 'scheme'), ['HTTP', 'HTTPS'], `${path}.scheme`),
        ...objectsAt(given, 'httpHeaders').flatMap((header) => nameErrors(isHttpHeaderName, textAt(header, 'name'), `${path}.httpHeaders`)),
      ];
    case 'tcpSocket':
      return portNumberOrName(given['port'], `${path}.port`);
    case 'grpc':
      return portNumber(numberAt(given, 'port') ?? 0, `${path}.port`);
    default: {
      const seconds = int64At(given, 'seconds') ?? 0;
      if (seconds >= 0 && seconds <= graceSeconds) return none;
      const why = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`;
      return [invalid(path, seconds, why)];
    }
  }
}
