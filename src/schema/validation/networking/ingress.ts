import {
  collectErrors,
  type FeatureGates,
  forbiddenField,
  invalid,
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isPathSegmentName,
  isPortName,
  isWildcardDns1123Subdomain,
  type JsonObject,
  type NameRule,
  parseIp,
  required,
  tooLong,
  validateDomainPrefixedPath,
  validateLegacyIp,
} from '../../../meta/index.ts';
import { numberAt, objectsAt, optionalRecordAt, optionalTextAt, recordAt, textAt, textsAt } from '../accessors.ts';
import {
  type Errors,
  none,
  validateDnsLabel,
  validateDnsSubdomain,
  validateImmutable,
  validateNameWith,
  validateOneOf,
  validatePortNumber,
} from '../checks.ts';
import { ingressPoints, validateHostname } from '../core/service-balancer.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateAllOnUpdate, validateFullMetadata, validateObjectMetaUpdate } from '../update-validators.ts';

const maxController = 250;

function validateLoadBalancers(ingress: JsonObject, old: JsonObject, gates: FeatureGates): Errors {
  const known = ingressPoints(old).map((one) => textAt(one, 'ip'));
  return collectErrors(ingressPoints(ingress), (one, index) => {
    const [ip, hostname, path] = [textAt(one, 'ip'), textAt(one, 'hostname'), `status.loadBalancer.ingress[${index}]`];
    return [
      ...(ip === '' ? none : validateLegacyIp(`${path}.ip`, ip, gates, known)),
      ...(hostname === '' ? none : validateHostname(hostname, `${path}.hostname`)),
    ];
  });
}

/** Cf. upstream pkg/apis/networking/validation. */
export function ingressValidators({ rename, gates }: ValidationContext): KindValidators {
  const serviceName = gates.enabled('RelaxedServiceNameValidation') ? isDns1123Label : isDns1035Label;
  const annotation = rename('kubernetes.io/ingress.class');
  return {
    'networking.Ingress': {
      create: (ingress) => [
        ...validateIngressSpec(recordAt(ingress, 'spec'), serviceName),
        ...validateConflictingClasses(ingress, annotation),
      ],
      update: (next, old) => [
        ...validateObjectMetaUpdate(next, old),
        ...validateFullMetadata({ type: 'networking.Ingress', namespaced: true }, next),
        ...validateIngressSpec(recordAt(next, 'spec'), serviceName),
      ],
      updateStatus: (next, old) => [...validateObjectMetaUpdate(next, old), ...validateLoadBalancers(next, old, gates)],
    },
    'networking.IngressClass': validateAllOnUpdate(
      { type: 'networking.IngressClass', namespaced: false },
      validateIngressClass,
      (next, old) =>
        validateImmutable(textAt(recordAt(next, 'spec'), 'controller'), textAt(recordAt(old, 'spec'), 'controller'), 'spec.controller'),
    ),
  };
}

/** The deprecated annotation and the field must agree. */
function validateConflictingClasses(ingress: JsonObject, annotation: string): Errors {
  const old = optionalTextAt(recordAt(recordAt(ingress, 'metadata'), 'annotations'), annotation);
  const name = optionalTextAt(recordAt(ingress, 'spec'), 'ingressClassName');
  if (old === undefined || name === undefined || old === name) return none;
  return [invalid(`annotations.${annotation}`, old, 'must match `ingressClassName` when both are specified')];
}

function validateIngressSpec(spec: JsonObject, serviceName: NameRule): Errors {
  const [rules, fallback] = [objectsAt(spec, 'rules'), optionalRecordAt(spec, 'defaultBackend')];
  const className = optionalTextAt(spec, 'ingressClassName');
  return [
    ...(rules.length === 0 && !fallback ? [invalid('spec', spec['rules'], 'either `defaultBackend` or `rules` must be specified')] : none),
    ...(fallback ? validateBackend(fallback, 'spec.defaultBackend', serviceName) : none),
    ...collectErrors(rules, (rule, index) => validateIngressRule(rule, `spec.rules[${index}]`, serviceName)),
    ...collectErrors(objectsAt(spec, 'tls'), (tls, index) => validateIngressTls(tls, `spec.tls[${index}]`)),
    ...(className === undefined ? none : validateDnsSubdomain(className, 'spec.ingressClassName')),
  ];
}

function validateIngressRule(rule: JsonObject, path: string, serviceName: NameRule): Errors {
  const host = textAt(rule, 'host');
  const http = optionalRecordAt(rule, 'http');
  const paths = objectsAt(http, 'paths');
  return [
    ...(parseIp(host) ? [invalid(`${path}.host`, host, 'must be a DNS name, not an IP address')] : none),
    ...(host === '' ? none : validateHostName(host, `${path}.host`)),
    ...(http && paths.length === 0 ? [required(`${path}.http.paths`, '')] : none),
    ...collectErrors(paths, (one, index) => validateIngressPath(one, `${path}.http.paths[${index}]`, serviceName)),
  ];
}

function validateHostName(host: string, path: string): Errors {
  return validateNameWith(host.includes('*') ? isWildcardDns1123Subdomain : isDns1123Subdomain, host, path);
}

function validateIngressPath(given: JsonObject, path: string, serviceName: NameRule): Errors {
  const [type, target] = [optionalTextAt(given, 'pathType'), textAt(given, 'path')];
  if (type === undefined) return [required(`${path}.pathType`, 'pathType must be specified')];
  return [...validatePathOfType(type, target, path), ...validateBackend(recordAt(given, 'backend'), `${path}.backend`, serviceName)];
}

function validatePathOfType(type: string, target: string, path: string): Errors {
  const at = `${path}.path`;
  const absolute = target.startsWith('/') ? none : [invalid(at, target, 'must be an absolute path')];
  switch (type) {
    case 'Exact':
    case 'Prefix':
      return [
        ...absolute,
        ...['//', '/./', '/../', '%2f', '%2F']
          .filter((part) => target.includes(part))
          .map((part) => invalid(at, target, `must not contain '${part}'`)),
        ...['/..', '/.'].filter((end) => target.endsWith(end)).map((end) => invalid(at, target, `cannot end with '${end}'`)),
      ];
    case 'ImplementationSpecific':
      return target === '' ? none : absolute;
    default:
      return validateOneOf(type, ['Exact', 'ImplementationSpecific', 'Prefix'], `${path}.pathType`);
  }
}

function validateBackend(given: JsonObject, path: string, serviceName: NameRule): Errors {
  const [resource, service] = [optionalRecordAt(given, 'resource'), optionalRecordAt(given, 'service')];
  if (resource && service) return [invalid(path, '', 'cannot set both resource and service backends')];
  if (resource) return validateTypedReference(resource, `${path}.resource`);
  if (!service) return [invalid(path, '', 'resource or service backend is required')];
  const name = textAt(service, 'name');
  return [
    ...(name === '' ? [required(`${path}.service.name`, '')] : validateNameWith(serviceName, name, `${path}.service.name`)),
    ...validateBackendPort(recordAt(service, 'port'), path),
  ];
}

function validateBackendPort(port: JsonObject, path: string): Errors {
  const [name, number] = [textAt(port, 'name'), numberAt(port, 'number') ?? 0];
  if (name !== '' && number !== 0) return [invalid(path, '', 'cannot set both port name & port number')];
  if (name !== '') return validateNameWith(isPortName, name, `${path}.service.port.name`);
  return number === 0 ? [required(path, 'port name or number is required')] : validatePortNumber(number, `${path}.service.port.number`);
}

function validateTypedReference(reference: JsonObject, path: string): Errors {
  const group = optionalTextAt(reference, 'apiGroup');
  return [
    ...(group === undefined ? none : validateDnsSubdomain(group, `${path}.apiGroup`)),
    ...validateSegment(reference, 'kind', path),
    ...validateSegment(reference, 'name', path),
  ];
}

function validateSegment(reference: JsonObject, field: string, path: string): Errors {
  const value = textAt(reference, field);
  return value === '' ? [required(`${path}.${field}`, '')] : validateNameWith(isPathSegmentName, value, `${path}.${field}`);
}

function validateIngressTls(tls: JsonObject, path: string): Errors {
  const secret = textAt(tls, 'secretName');
  return [
    ...collectErrors(textsAt(tls, 'hosts'), (host, index) => validateHostName(host, `${path}.hosts[${index}]`)),
    ...(secret === '' ? none : validateDnsSubdomain(secret, `${path}.secretName`)),
  ];
}

function validateIngressClass(object: JsonObject): Errors {
  const spec = recordAt(object, 'spec');
  const controller = textAt(spec, 'controller');
  const parameters = optionalRecordAt(spec, 'parameters');
  return [
    ...(controller.length > maxController ? [tooLong('spec.controller', maxController)] : none),
    ...validateDomainPrefixedPath('spec.controller', controller),
    ...(parameters ? validateClassParameters(parameters, 'spec.parameters') : none),
  ];
}

function validateClassParameters(parameters: JsonObject, path: string): Errors {
  const [scope, namespace] = [optionalTextAt(parameters, 'scope'), optionalTextAt(parameters, 'namespace')];
  const errors = [...validateTypedReference(parameters, path)];
  if (scope === undefined) errors.push(required(`${path}.scope`, ''));
  else errors.push(...validateOneOf(scope, ['Cluster', 'Namespace'], `${path}.scope`));
  if (scope === 'Namespace') {
    if (namespace === undefined) errors.push(required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'"));
    else errors.push(...validateDnsLabel(namespace, `${path}.namespace`));
  }
  if (scope === 'Cluster' && namespace !== undefined)
    errors.push(forbiddenField(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'"));
  return errors;
}
