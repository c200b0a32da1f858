import {
  domainPrefixedPath,
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
  validLegacyIp,
} from '../../../meta/index.ts';
import { numberAt, objectsAt, optionalRecordAt, optionalTextAt, recordAt, textAt, textsAt } from '../accessors.ts';
import { dnsLabel, dnsSubdomain, type Errors, immutable, nameErrors, none, oneOf, portNumber } from '../checks.ts';
import { hostnameErrors, ingressPoints } from '../core/service-balancer.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { fullMetadataErrors, metadataUpdate, validateAllOnUpdate } from '../update-validators.ts';

const maxController = 250;

function balancers(ingress: JsonObject, old: JsonObject, gates: FeatureGates): Errors {
  const known = ingressPoints(old).map((one) => textAt(one, 'ip'));
  return ingressPoints(ingress).flatMap((one, index) => {
    const [ip, hostname, path] = [textAt(one, 'ip'), textAt(one, 'hostname'), `status.loadBalancer.ingress[${index}]`];
    return [
      ...(ip === '' ? none : validLegacyIp(`${path}.ip`, ip, gates, known)),
      ...(hostname === '' ? none : hostnameErrors(hostname, `${path}.hostname`)),
    ];
  });
}

/** Cf. upstream pkg/apis/networking/validation. */
export function ingressValidators({ rename, gates }: ValidationContext): KindValidators {
  const serviceName = gates.enabled('RelaxedServiceNameValidation') ? isDns1123Label : isDns1035Label;
  const annotation = rename('kubernetes.io/ingress.class');
  return {
    'networking.Ingress': {
      create: (ingress) => [...ingressSpec(recordAt(ingress, 'spec'), serviceName), ...conflictingClasses(ingress, annotation)],
      update: (next, old) => [
        ...metadataUpdate(next, old),
        ...fullMetadataErrors({ type: 'networking.Ingress', namespaced: true }, next),
        ...ingressSpec(recordAt(next, 'spec'), serviceName),
      ],
      updateStatus: (next, old) => [...metadataUpdate(next, old), ...balancers(next, old, gates)],
    },
    'networking.IngressClass': validateAllOnUpdate({ type: 'networking.IngressClass', namespaced: false }, ingressClass, (next, old) =>
      immutable(textAt(recordAt(next, 'spec'), 'controller'), textAt(recordAt(old, 'spec'), 'controller'), 'spec.controller'),
    ),
  };
}

/** The deprecated annotation and the field must agree. */
function conflictingClasses(ingress: JsonObject, annotation: string): Errors {
  const old = optionalTextAt(recordAt(recordAt(ingress, 'metadata'), 'annotations'), annotation);
  const name = optionalTextAt(recordAt(ingress, 'spec'), 'ingressClassName');
  if (old === undefined || name === undefined || old === name) return none;
  return [invalid(`annotations.${annotation}`, old, 'must match `ingressClassName` when both are specified')];
}

function ingressSpec(spec: JsonObject, serviceName: NameRule): Errors {
  const [rules, fallback] = [objectsAt(spec, 'rules'), optionalRecordAt(spec, 'defaultBackend')];
  const className = optionalTextAt(spec, 'ingressClassName');
  return [
    ...(rules.length === 0 && !fallback ? [invalid('spec', spec['rules'], 'either `defaultBackend` or `rules` must be specified')] : none),
    ...(fallback ? backend(fallback, 'spec.defaultBackend', serviceName) : none),
    ...rules.flatMap((rule, index) => ingressRule(rule, `spec.rules[${index}]`, serviceName)),
    ...objectsAt(spec, 'tls').flatMap((tls, index) => ingressTls(tls, `spec.tls[${index}]`)),
    ...(className === undefined ? none : dnsSubdomain(className, 'spec.ingressClassName')),
  ];
}

function ingressRule(rule: JsonObject, path: string, serviceName: NameRule): Errors {
  const host = textAt(rule, 'host');
  const http = optionalRecordAt(rule, 'http');
  const paths = objectsAt(http, 'paths');
  return [
    ...(parseIp(host) ? [invalid(`${path}.host`, host, 'must be a DNS name, not an IP address')] : none),
    ...(host === '' ? none : hostName(host, `${path}.host`)),
    ...(http && paths.length === 0 ? [required(`${path}.http.paths`, '')] : none),
    ...paths.flatMap((one, index) => ingressPath(one, `${path}.http.paths[${index}]`, serviceName)),
  ];
}

function hostName(host: string, path: string): Errors {
  return nameErrors(host.includes('*') ? isWildcardDns1123Subdomain : isDns1123Subdomain, host, path);
}

function ingressPath(given: JsonObject, path: string, serviceName: NameRule): Errors {
  const [type, target] = [optionalTextAt(given, 'pathType'), textAt(given, 'path')];
  if (type === undefined) return [required(`${path}.pathType`, 'pathType must be specified')];
  return [...pathOfType(type, target, path), ...backend(recordAt(given, 'backend'), `${path}.backend`, serviceName)];
}

function pathOfType(type: string, target: string, path: string): Errors {
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
      return oneOf(type, ['Exact', 'ImplementationSpecific', 'Prefix'], `${path}.pathType`);
  }
}

function backend(given: JsonObject, path: string, serviceName: NameRule): Errors {
  const [resource, service] = [optionalRecordAt(given, 'resource'), optionalRecordAt(given, 'service')];
  if (resource && service) return [invalid(path, '', 'cannot set both resource and service backends')];
  if (resource) return typedReference(resource, `${path}.resource`);
  if (!service) return [invalid(path, '', 'resource or service backend is required')];
  const name = textAt(service, 'name');
  return [
    ...(name === '' ? [required(`${path}.service.name`, '')] : nameErrors(serviceName, name, `${path}.service.name`)),
    ...backendPort(recordAt(service, 'port'), path),
  ];
}

function backendPort(port: JsonObject, path: string): Errors {
  const [name, number] = [textAt(port, 'name'), numberAt(port, 'number') ?? 0];
  if (name !== '' && number !== 0) return [invalid(path, '', 'cannot set both port name & port number')];
  if (name !== '') return nameErrors(isPortName, name, `${path}.service.port.name`);
  return number === 0 ? [required(path, 'port name or number is required')] : portNumber(number, `${path}.service.port.number`);
}

function typedReference(reference: JsonObject, path: string): Errors {
  const group = optionalTextAt(reference, 'apiGroup');
  return [
    ...(group === undefined ? none : dnsSubdomain(group, `${path}.apiGroup`)),
    ...segment(reference, 'kind', path),
    ...segment(reference, 'name', path),
  ];
}

function segment(reference: JsonObject, field: string, path: string): Errors {
  const value = textAt(reference, field);
  return value === '' ? [required(`${path}.${field}`, '')] : nameErrors(isPathSegmentName, value, `${path}.${field}`);
}

function ingressTls(tls: JsonObject, path: string): Errors {
  const secret = textAt(tls, 'secretName');
  return [
    ...textsAt(tls, 'hosts').flatMap((host, index) => hostName(host, `${path}.hosts[${index}]`)),
    ...(secret === '' ? none : dnsSubdomain(secret, `${path}.secretName`)),
  ];
}

function ingressClass(object: JsonObject): Errors {
  const spec = recordAt(object, 'spec');
  const controller = textAt(spec, 'controller');
  const parameters = optionalRecordAt(spec, 'parameters');
  return [
    ...(controller.length > maxController ? [tooLong('spec.controller', maxController)] : none),
    ...domainPrefixedPath('spec.controller', controller),
    ...(parameters ? classParameters(parameters, 'spec.parameters') : none),
  ];
}

function classParameters(parameters: JsonObject, path: string): Errors {
  const [scope, namespace] = [optionalTextAt(parameters, 'scope'), optionalTextAt(parameters, 'namespace')];
  const errors = [...typedReference(parameters, path)];
  if (scope === undefined) errors.push(required(`${path}.scope`, ''));
  else errors.push(...oneOf(scope, ['Cluster', 'Namespace'], `${path}.scope`));
  if (scope === 'Namespace') {
    if (namespace === undefined) errors.push(required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'"));
    else errors.push(...dnsLabel(namespace, `${path}.namespace`));
  }
  if (scope === 'Cluster' && namespace !== undefined)
    errors.push(forbiddenField(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'"));
  return errors;
}
