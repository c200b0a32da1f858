import { collectErrors, forbiddenField, invalid, isHttpHeaderName, required } from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import { int64At } from '../../accessors.ts';
import {
  type Errors,
  none,
  validateNameWith,
  validateNonNegativeField,
  validateOneOf,
  validatePortNumber,
  validatePortNumberOrName,
} from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';
import type { PodParts } from './containers.ts';
import { validateStopSignal } from './stop-signal.ts';

/** Probes and lifecycle hooks of a container. Cf. upstream validateProbe, validateLifecycle. */
export function validateProbesAndHooks(
  container: Decoded<corev1.Container>,
  pod: Pick<PodParts, 'graceSeconds' | 'system'>,
  path: string,
): Errors {
  return [
    ...validateLifecycle(container.lifecycle ?? {}, pod, `${path}.lifecycle`),
    ...validateLivenessProbe(container.livenessProbe, `${path}.livenessProbe`),
    ...validateReadinessProbe(container.readinessProbe, `${path}.readinessProbe`),
    ...validateLivenessProbe(container.startupProbe, `${path}.startupProbe`),
  ];
}

function validateLifecycle(
  given: Decoded<corev1.Lifecycle>,
  { graceSeconds, system }: Pick<PodParts, 'graceSeconds' | 'system'>,
  path: string,
): Errors {
  const hooks = (['postStart', 'preStop'] as const).flatMap((hook) => {
    const action = given[hook];
    return action ? validateHandler(action, ['exec', 'httpGet', 'tcpSocket', 'sleep'], graceSeconds, `${path}.${hook}`) : none;
  });
  return [...hooks, ...validateStopSignal(given.stopSignal, system, `${path}.stopSignal`)];
}

/** Liveness and startup probes allow only a successThreshold of 1. */
function validateLivenessProbe(given: Decoded<corev1.Probe> | undefined, path: string): Errors {
  if (!given) return none;
  const successes = given?.successThreshold ?? 0;
  return [...validateProbe(given, path), ...(successes === 1 ? none : [invalid(`${path}.successThreshold`, successes, 'must be 1')])];
}

function validateReadinessProbe(given: Decoded<corev1.Probe> | undefined, path: string): Errors {
  if (!given) return none;
  const grace = int64At(given, 'terminationGracePeriodSeconds');
  const field = `${path}.terminationGracePeriodSeconds`;
  return [...validateProbe(given, path), ...(grace === undefined ? none : [invalid(field, grace, 'must not be set for readinessProbes')])];
}

const counts = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'] as const;

function validateProbe(given: Decoded<corev1.Probe>, path: string): Errors {
  const grace = int64At(given, 'terminationGracePeriodSeconds');
  return [
    ...validateHandler(given, ['exec', 'httpGet', 'tcpSocket', 'grpc'], 0, path),
    ...counts.flatMap((field) => validateNonNegativeField(given, field, path)),
    ...(grace !== undefined && grace <= 0 ? [invalid(`${path}.terminationGracePeriodSeconds`, grace, 'must be greater than 0')] : none),
  ];
}

type Handler = Decoded<corev1.LifecycleHandler & corev1.Probe>;
type HandlerKind = 'exec' | 'httpGet' | 'tcpSocket' | 'grpc' | 'sleep';

function validateHandler(given: Handler, kinds: readonly HandlerKind[], graceSeconds: number, path: string): Errors {
  const present = kinds.filter((kind) => given[kind]);
  if (present.length === 0) return [required(path, 'must specify a handler type')];
  return present.flatMap((kind, index) =>
    index > 0
      ? [forbiddenField(`${path}.${kind}`, 'may not specify more than 1 handler type')]
      : validateAction(kind, given, graceSeconds, `${path}.${kind}`),
  );
}

function validateAction(kind: HandlerKind, { exec, httpGet, tcpSocket, grpc, sleep }: Handler, graceSeconds: number, path: string): Errors {
  switch (kind) {
    case 'exec':
      return exec?.command?.length ? none : [required(`${path}.command`, '')];
    case 'httpGet': {
      const { path: target, port, scheme = '', httpHeaders = [] } = httpGet ?? {};
      return [
        ...(target ? none : [required(`${path}.path`, '')]),
        ...validatePortNumberOrName(port, `${path}.port`),
        ...validateOneOf(scheme, ['HTTP', 'HTTPS'], `${path}.scheme`),
        ...collectErrors(httpHeaders, ({ name = '' }) => validateNameWith(isHttpHeaderName, name, `${path}.httpHeaders`)),
      ];
    }
    case 'tcpSocket':
      return validatePortNumberOrName(tcpSocket?.port, `${path}.port`);
    case 'grpc':
      return validatePortNumber(grpc?.port ?? 0, `${path}.port`);
    case 'sleep': {
      const seconds = int64At(sleep, 'seconds') ?? 0;
      if (seconds >= 0 && seconds <= graceSeconds) return none;
      const why = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`;
      return [invalid(path, seconds, why)];
    }
  }
}
