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
import type { apiextensionsv1, apiregistrationv1, certificatesv1beta1 } from '../api/index.ts';
import type { Decoded } from './decoded.ts';
import type { MetadataRule } from './metadata.ts';

const defaultRule: MetadataRule = { names: subdomainNames, knownFinalizers: true };
const anyName: MetadataRule = { names: pathSegmentNames, knownFinalizers: true };
const anyFinalizerRule: MetadataRule = { names: subdomainNames, knownFinalizers: false };
/** A rule that also holds for generateName prefixes. */
const sameForPrefix = (rule: NameRule): ObjectNameRule => ({ name: rule, prefix: rule });
const addressName: NameRule = (name) => validateIp('', name).map(({ message }) => message.slice(message.indexOf('must ')));
const uncheckedName: MetadataRule = { names: pathSegmentNames, knownFinalizers: false };

/** By type without version; the default is a DNS subdomain. */
const rules: Readonly<Record<string, MetadataRule>> = {
  'core.Namespace': { names: labelNames, knownFinalizers: true },
  'core.Service': { names: dns1035Names, knownFinalizers: true },
  'core.Event': uncheckedName,
  'apps.StatefulSet': { names: labelNames, knownFinalizers: true },
  'policy.PodDisruptionBudget': uncheckedName,
  'rbac.Role': anyName,
  'rbac.ClusterRole': anyName,
  'rbac.RoleBinding': anyName,
  'rbac.ClusterRoleBinding': anyName,
  'certificates.CertificateSigningRequest': anyName,
  'coordination.Lease': anyFinalizerRule,
  'coordination.LeaseCandidate': { names: sameForPrefix(isConfigMapKey), knownFinalizers: false },
  'apiserverinternal.StorageVersion': { names: sameForPrefix(storageVersionName), knownFinalizers: true },
  'networking.IPAddress': { names: sameForPrefix(addressName), knownFinalizers: true },
  'node.RuntimeClass': anyFinalizerRule,
  'admissionregistration.MutatingWebhookConfiguration': anyFinalizerRule,
  'admissionregistration.ValidatingWebhookConfiguration': anyFinalizerRule,
  'admissionregistration.ValidatingAdmissionPolicy': anyFinalizerRule,
  'admissionregistration.ValidatingAdmissionPolicyBinding': anyFinalizerRule,
  'admissionregistration.MutatingAdmissionPolicy': anyFinalizerRule,
  'admissionregistration.MutatingAdmissionPolicyBinding': anyFinalizerRule,
};

/** Name and finalizer rules of a type (`gates`: on create only). */
export function metadataRuleOf(kind: string, object: JsonObject, gates?: FeatureGates): MetadataRule {
  if (kind === 'core.Service' && gates?.enabled('RelaxedServiceNameValidation')) return { names: labelNames, knownFinalizers: true };
  if (kind === 'apiextensions.CustomResourceDefinition') return { names: definitionNames(object), knownFinalizers: false };
  if (kind === 'apiregistration.APIService') return { names: serviceNames(object), knownFinalizers: false };
  if (kind === 'certificates.ClusterTrustBundle') return { names: trustBundleNames(object), knownFinalizers: true };
  return rules[kind] ?? defaultRule;
}

const trustBundleNames = ({ spec }: Decoded<certificatesv1beta1.ClusterTrustBundle>): ObjectNameRule => bundleNames(spec?.signerName ?? '');

/** The rule for custom resources. */
export const customMetadata: MetadataRule = anyFinalizerRule;

function definitionNames({ spec }: Decoded<apiextensionsv1.CustomResourceDefinition>): ObjectNameRule {
  const expected = `${spec?.names?.plural ?? ''}.${spec?.group ?? ''}`;
  const wrong = (name: string): readonly string[] => (name === expected ? [] : ['must be spec.names.plural+"."+spec.group']);
  return {
    name: (name) => [...subdomainNames.name(name), ...wrong(name)],
    prefix: (prefix) => [...subdomainNames.prefix(prefix), ...wrong(prefix)],
  };
}

/** The name of a signer's bundle starts with the signer name; `signer` may be empty. */
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

function serviceNames({ spec }: Decoded<apiregistrationv1.APIService>): ObjectNameRule {
  const expected = `${spec?.version ?? ''}.${spec?.group ?? ''}`;
  const wrong = (name: string): readonly string[] =>
    name === expected ? [] : [`must be \`spec.version+"."+spec.group\`: ${JSON.stringify(expected)}`];
  return {
    name: (name) => [...pathSegmentNames.name(name), ...wrong(name)],
    prefix: (prefix) => [...pathSegmentNames.prefix(prefix), ...wrong(prefix)],
  };
}

/** `<group>.<resource>`, the name of StorageVersion objects. */
function storageVersionName(name: string): readonly string[] {
  const cut = name.lastIndexOf('.');
  if (cut < 0) return ['name must be in the form of <group>.<resource>'];
  return [
    ...isDns1123Subdomain(name.slice(0, cut)).map((why) => `the group segment ${why}`),
    ...isDns1035Label(name.slice(cut + 1)).map((why) => `the resource segment ${why}`),
  ];
}
