import {
  dns1035Names,
  type FeatureGates,
  isConfigMapKey,
  isDns1035Label,
  isDns1123Subdomain,
  type JsonObject,
  labelNames,
  type NameRule,
  type ObjectNameRule,
  pathSegmentNames,
  subdomainNames,
  validateIp,
} from '../../meta/index.ts';
import type { MetadataRule } from './metadata.ts';
import { recordAt, textAt } from './reading.ts';

const usual: MetadataRule = { names: subdomainNames, knownFinalizers: true };
const anyName: MetadataRule = { names: pathSegmentNames, knownFinalizers: true };
const plain: MetadataRule = { names: subdomainNames, knownFinalizers: false };
/** A rule that holds for what a name begins with, too. */
const both = (rule: NameRule): ObjectNameRule => ({ name: rule, prefix: rule });
const addressName: NameRule = (name) => validateIp('', name).map(({ message }) => message.slice(message.indexOf('must ')));
const unchecked: MetadataRule = { names: pathSegmentNames, knownFinalizers: false };

/** By type without its version; everything else is named as a DNS subdomain. */
const rules: Readonly<Record<string, MetadataRule>> = {
  'core.Namespace': { names: labelNames, knownFinalizers: true },
  'core.Service': { names: dns1035Names, knownFinalizers: true },
  'core.Event': unchecked,
  'apps.StatefulSet': { names: labelNames, knownFinalizers: true },
  'policy.PodDisruptionBudget': unchecked,
  'rbac.Role': anyName,
  'rbac.ClusterRole': anyName,
  'rbac.RoleBinding': anyName,
  'rbac.ClusterRoleBinding': anyName,
  'certificates.CertificateSigningRequest': anyName,
  'coordination.Lease': plain,
  'coordination.LeaseCandidate': { names: both(isConfigMapKey), knownFinalizers: false },
  'apiserverinternal.StorageVersion': { names: both(storageVersionName), knownFinalizers: true },
  'networking.IPAddress': { names: both(addressName), knownFinalizers: true },
  'node.RuntimeClass': plain,
  'admissionregistration.MutatingWebhookConfiguration': plain,
  'admissionregistration.ValidatingWebhookConfiguration': plain,
  'admissionregistration.ValidatingAdmissionPolicy': plain,
  'admissionregistration.ValidatingAdmissionPolicyBinding': plain,
  'admissionregistration.MutatingAdmissionPolicy': plain,
  'admissionregistration.MutatingAdmissionPolicyBinding': plain,
};

/** How an object of a type must be named (`gates`: when it is made), and what its finalizers may be. */
export function metadataRuleOf(kind: string, object: JsonObject, gates?: FeatureGates): MetadataRule {
  if (kind === 'core.Service' && gates?.enabled('RelaxedServiceNameValidation')) return { names: labelNames, knownFinalizers: true };
  if (kind === 'apiextensions.CustomResourceDefinition') return { names: definitionNames(object), knownFinalizers: false };
  if (kind === 'apiregistration.APIService') return { names: serviceNames(object), knownFinalizers: false };
  if (kind === 'certificates.ClusterTrustBundle')
    return { names: bundleNames(textAt(recordAt(object, 'spec'), 'signerName')), knownFinalizers: true };
  return rules[kind] ?? usual;
}

/** Objects of a definition's making. */
export const customMetadata: MetadataRule = plain;

function definitionNames(definition: JsonObject): ObjectNameRule {
  const spec = recordAt(definition, 'spec');
  const expected = `${textAt(recordAt(spec, 'names'), 'plural')}.${textAt(spec, 'group')}`;
  const wrong = (name: string): readonly string[] => (name === expected ? [] : ['must be spec.names.plural+"."+spec.group']);
  return {
    name: (name) => [...subdomainNames.name(name), ...wrong(name)],
    prefix: (prefix) => [...subdomainNames.prefix(prefix), ...wrong(prefix)],
  };
}

/** Those of a signer carry its name; without one it is empty. */
export function bundleNames(signer: string): ObjectNameRule {
  const start = `${signer.replaceAll('/', ':')}:`;
  const within = (rule: NameRule): NameRule => {
    if (signer === '') {
      return (name) => (name.includes(':') ? ['ClusterTrustBundle without signer name must not have ":" in its name'] : rule(name));
    }
    return (name) =>
      name.startsWith(start)
        ? rule(name.slice(start.length))
        : [`ClusterTrustBundle for signerName ${signer} must be named with prefix ${start}`];
  };
  return { name: within(subdomainNames.name), prefix: within(subdomainNames.prefix) };
}

function serviceNames(service: JsonObject): ObjectNameRule {
  const spec = recordAt(service, 'spec');
  const expected = `${textAt(spec, 'version')}.${textAt(spec, 'group')}`;
  const wrong = (name: string): readonly string[] =>
    name === expected ? [] : [`must be \`spec.version+"."+spec.group\`: ${JSON.stringify(expected)}`];
  return {
    name: (name) => [...pathSegmentNames.name(name), ...wrong(name)],
    prefix: (prefix) => [...pathSegmentNames.prefix(prefix), ...wrong(prefix)],
  };
}

/** `<group>.<resource>`, as objects that tell of it are named. */
function storageVersionName(name: string): readonly string[] {
  const cut = name.lastIndexOf('.');
  if (cut < 0) return ['name must be in the form of <group>.<resource>'];
  return [
    ...isDns1123Subdomain(name.slice(0, cut)).map((why) => `the group segment ${why}`),
    ...isDns1035Label(name.slice(cut + 1)).map((why) => `the resource segment ${why}`),
  ];
}
