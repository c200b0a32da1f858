import { dns1035Names, type JsonObject, labelNames, type ObjectNameRule, pathSegmentNames, subdomainNames } from '../../meta/index.ts';
import type { MetadataRule } from './metadata.ts';
import { recordAt, textAt } from './reading.ts';

const usual: MetadataRule = { names: subdomainNames, knownFinalizers: true };
const anyName: MetadataRule = { names: pathSegmentNames, knownFinalizers: true };
const plain: MetadataRule = { names: subdomainNames, knownFinalizers: false };
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
  'node.RuntimeClass': plain,
  'admissionregistration.MutatingWebhookConfiguration': plain,
  'admissionregistration.ValidatingWebhookConfiguration': plain,
  'admissionregistration.ValidatingAdmissionPolicy': plain,
  'admissionregistration.ValidatingAdmissionPolicyBinding': plain,
  'admissionregistration.MutatingAdmissionPolicy': plain,
  'admissionregistration.MutatingAdmissionPolicyBinding': plain,
};

/** How an object of a type must be named, and what its finalizers may be. */
export function metadataRuleOf(kind: string, object: JsonObject): MetadataRule {
  if (kind === 'apiextensions.CustomResourceDefinition') return { names: definitionNames(object), knownFinalizers: false };
  if (kind === 'apiregistration.APIService') return { names: serviceNames(object), knownFinalizers: false };
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
