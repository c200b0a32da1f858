import {
  duplicate,
  forbiddenField,
  invalid,
  isDns1123Subdomain,
  isQualifiedName,
  type JsonObject,
  required,
  validLegacyIp,
} from '../../../meta/index.ts';
import { dnsLabel, dnsSubdomain, type Errors, inRange, named, none, oneOf, requiredOneOf } from '../checks.ts';
import type { ValidationContext } from '../kind-validator.ts';
import { validateAnnotations, validateLabels } from '../metadata.ts';
import { numberAt, objectsAt, optionalRecordAt, optionalTextAt, recordAt, textAt, textsAt } from '../reading.ts';
import { containers, ephemeralContainers, initContainers, resources } from './containers.ts';
import { resourceAmount } from './resource-names.ts';
import { affinity, tolerations, topologySpread } from './scheduling.ts';
import { podSecurity } from './security.ts';
import { volumes } from './volumes.ts';

const maxDeadlineSeconds = 2 ** 31 - 1;

/** The spec of a pod or of a template. Cf. upstream ValidatePodSpec, whose order this keeps. */
export function podSpec(spec: JsonObject, path: string, context: ValidationContext): Errors {
  const grace = numberAt(spec, 'terminationGracePeriodSeconds');
  const checked = volumes(spec, `${path}.volumes`);
  const claims = new Set(objectsAt(spec, 'resourceClaims').map((claim) => textAt(claim, 'name')));
  const parts = { context, volumes: checked.names, claims, graceSeconds: grace ?? 0 };
  const deadline = numberAt(spec, 'activeDeadlineSeconds');
  return [
    ...checked.errors,
    ...resourceClaims(spec, `${path}.resourceClaims`),
    ...containers(spec, parts, `${path}.containers`),
    ...initContainers(spec, parts, `${path}.initContainers`),
    ...ephemeralContainers(spec, parts, `${path}.ephemeralContainers`),
    ...('resources' in spec ? resources(recordAt(spec, 'resources'), parts, `${path}.resources`) : none),
    ...hostNetworkPorts(spec, path),
    ...requiredOneOf(textAt(spec, 'restartPolicy'), ['Always', 'OnFailure', 'Never'], `${path}.restartPolicy`),
    ...requiredOneOf(textAt(spec, 'dnsPolicy'), ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'], `${path}.dnsPolicy`),
    ...validateLabels(recordAt(spec, 'nodeSelector'), `${path}.nodeSelector`),
    ...podSecurity(spec, `${path}.securityContext`),
    ...objectsAt(spec, 'imagePullSecrets').flatMap((secret, index) =>
      textAt(secret, 'name') === '' ? [required(`${path}.imagePullSecrets[${index}].name`, '')] : none,
    ),
    ...affinity(optionalRecordAt(spec, 'affinity'), `${path}.affinity`),
    ...dnsConfig(spec, `${path}.dnsConfig`),
    ...objectsAt(spec, 'readinessGates').flatMap((gate, index) =>
      named(isQualifiedName, textAt(gate, 'conditionType'), `${path}.readinessGates[${index}].conditionType`),
    ),
    ...schedulingGates(spec, `${path}.schedulingGates`),
    ...topologySpread(spec, `${path}.topologySpreadConstraints`),
    ...names(spec, path),
    ...(deadline === undefined ? none : inRange(deadline, 1, maxDeadlineSeconds, `${path}.activeDeadlineSeconds`)),
    ...hostNames(spec, path),
    ...tolerations(spec, `${path}.tolerations`),
    ...hostAliases(spec, `${path}.hostAliases`),
    ...classes(spec, path, context),
  ];
}

function names(spec: JsonObject, path: string): Errors {
  return ['serviceAccountName', 'nodeName'].flatMap((field) => {
    const name = textAt(spec, field);
    return name === '' ? none : dnsSubdomain(name, `${path}.${field}`);
  });
}

function hostNames(spec: JsonObject, path: string): Errors {
  return ['hostname', 'subdomain'].flatMap((field) => {
    const name = textAt(spec, field);
    return name === '' ? none : dnsLabel(name, `${path}.${field}`);
  });
}

function classes(spec: JsonObject, path: string, context: ValidationContext): Errors {
  const [priority, runtime] = [textAt(spec, 'priorityClassName'), optionalTextAt(spec, 'runtimeClassName')];
  return [
    ...(priority === '' ? none : dnsSubdomain(priority, `${path}.priorityClassName`)),
    ...(runtime === undefined ? none : dnsSubdomain(runtime, `${path}.runtimeClassName`)),
    ...oneOf(optionalTextAt(spec, 'preemptionPolicy'), ['PreemptLowerPriority', 'Never'], `${path}.preemptionPolicy`),
    ...Object.entries(recordAt(spec, 'overhead')).flatMap(([name, amount]) =>
      resourceAmount(name, String(amount), `${path}.overhead.requests[${name}]`, context),
    ),
    ...('os' in spec ? requiredOneOf(textAt(recordAt(spec, 'os'), 'name'), ['linux', 'windows'], `${path}.os.name`) : none),
  ];
}

function resourceClaims(spec: JsonObject, path: string): Errors {
  const seen = new Set<string>();
  return objectsAt(spec, 'resourceClaims').flatMap((claim, index) => {
    const at = `${path}[${index}]`;
    const [name, own, template] = [textAt(claim, 'name'), textAt(claim, 'resourceClaimName'), textAt(claim, 'resourceClaimTemplateName')];
    const again = name !== '' && seen.has(name) ? [duplicate(`${at}.name`, name)] : none;
    seen.add(name);
    const errors = name === '' ? [required(`${at}.name`, '')] : [...again, ...dnsLabel(name, `${at}.name`)];
    if (own !== '' && template !== '') {
      errors.push(invalid(at, claim, 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'));
    }
    if (own === '' && template === '') errors.push(required(at, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'));
    return errors;
  });
}

function hostNetworkPorts(spec: JsonObject, path: string): Errors {
  if (spec['hostNetwork'] !== true) return none;
  return ['containers', 'initContainers'].flatMap((list) =>
    objectsAt(spec, list).flatMap((container, index) =>
      objectsAt(container, 'ports').flatMap((port, number) => {
        const [host, own] = [numberAt(port, 'hostPort') ?? 0, numberAt(port, 'containerPort') ?? 0];
        if (host === own) return none;
        const at = `${path}.${list}[${index}].ports[${number}].hostPort`;
        return [invalid(at, host, 'must match `containerPort` when `hostNetwork` is true')];
      }),
    ),
  );
}

const maxNameservers = 3;
const maxSearches = 32;
const maxSearchBytes = 2048;

function dnsConfig(spec: JsonObject, path: string): Errors {
  const config = optionalRecordAt(spec, 'dnsConfig');
  const own = textAt(spec, 'dnsPolicy') === 'None';
  if (!config) return own ? [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')] : none;
  const [servers, searches] = [textsAt(config, 'nameservers'), textsAt(config, 'searches')];
  const length = searches.join(' ').length;
  return [
    ...(own && servers.length === 0
      ? [required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None')]
      : none),
    ...(servers.length > maxNameservers
      ? [invalid(`${path}.nameservers`, servers, `must not have more than ${maxNameservers} nameservers`)]
      : none),
    ...servers.flatMap((server, index) => validLegacyIp(`${path}.nameservers[${index}]`, server)),
    ...(searches.length > maxSearches
      ? [invalid(`${path}.searches`, searches, `must not have more than ${maxSearches} search paths`)]
      : none),
    ...(length > maxSearchBytes
      ? [
          invalid(
            `${path}.searches`,
            searches,
            `must not have more than ${maxSearchBytes} characters (including spaces) in the search list`,
          ),
        ]
      : none),
    ...searches.flatMap((search, index) =>
      search === '.' ? none : named(isDns1123Subdomain, search.replace(/\.$/, '').replaceAll('_', '-'), `${path}.searches[${index}]`),
    ),
    ...objectsAt(config, 'options').flatMap((option, index) =>
      textAt(option, 'name') === '' ? [required(`${path}.options[${index}]`, 'must not be empty')] : none,
    ),
  ];
}

function schedulingGates(spec: JsonObject, path: string): Errors {
  const seen = new Set<string>();
  return objectsAt(spec, 'schedulingGates').flatMap((gate, index) => {
    const name = textAt(gate, 'name');
    const again = seen.has(name) ? [duplicate(`${path}[${index}]`, name)] : none;
    seen.add(name);
    return [...named(isQualifiedName, name, `${path}[${index}]`), ...again];
  });
}

function hostAliases(spec: JsonObject, path: string): Errors {
  return objectsAt(spec, 'hostAliases').flatMap((alias, index) => [
    ...validLegacyIp(`${path}[${index}].ip`, textAt(alias, 'ip')),
    ...textsAt(alias, 'hostnames').flatMap((name, number) => dnsSubdomain(name, `${path}[${index}].hostnames[${number}]`)),
  ]);
}

/** A template: labels, annotations and the spec. Cf. upstream ValidatePodTemplateSpec. */
export function podTemplate(template: JsonObject, path: string, context: ValidationContext): Errors {
  const metadata = recordAt(template, 'metadata');
  return [
    ...validateLabels(recordAt(metadata, 'labels'), `${path}.labels`),
    ...validateAnnotations(recordAt(metadata, 'annotations'), `${path}.annotations`),
    ...podSpec(recordAt(template, 'spec'), `${path}.spec`, context),
    ...(objectsAt(recordAt(template, 'spec'), 'ephemeralContainers').length > 0
      ? [forbiddenField(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : none),
  ];
}
