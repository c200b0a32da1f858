import type { AdmissionPlugin } from './admission.ts';

/** The plugins of kube-apiserver in their order; a leading minus marks those that are off by default. */
const pluginNames = `
-AlwaysAdmit -NamespaceAutoProvision NamespaceLifecycle -NamespaceExists -LimitPodHardAntiAffinityTopology LimitRanger ServiceAccount
-NodeRestriction TaintNodesByCondition -AlwaysPullImages -ImagePolicyWebhook PodSecurity -PodNodeSelector Priority
DefaultTolerationSeconds -PodTolerationRestriction -EventRateLimit -ExtendedResourceToleration DefaultStorageClass
StorageObjectInUseProtection -OwnerReferencesPermissionEnforcement PersistentVolumeClaimResize RuntimeClass CertificateApproval
CertificateSigning ClusterTrustBundleAttest CertificateSubjectRestriction DefaultIngressClass -DenyServiceExternalIPs PodTopologyLabels
MutatingAdmissionPolicy MutatingAdmissionWebhook ValidatingAdmissionPolicy ValidatingAdmissionWebhook ResourceQuota -AlwaysDeny`
  .trim()
  .split(/\s+/);

const order = pluginNames.map((name) => name.replace('-', ''));

export const defaultOffPluginNames: readonly string[] = order.filter((name) => !pluginNames.includes(name));

/** `--enable-admission-plugins`, `--disable-admission-plugins`. */
export interface PluginSelection {
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
}

/** Errors in the flags, with upstream's messages. Cf. upstream AdmissionOptions.Validate. */
export function validatePluginSelection({ enabled, disabled }: PluginSelection): readonly string[] {
  const both = [...new Set(enabled.filter((name) => disabled.includes(name)))].sort();
  return [
    ...unknownPlugins('enable-admission-plugins', enabled),
    ...unknownPlugins('disable-admission-plugins', disabled),
    ...(both.length > 0 ? [`[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`] : []),
  ];
}

/** An error for each unknown plugin of a flag. */
export function unknownPlugins(flag: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => !order.includes(name)).map((name) => `${flag} plugin ${JSON.stringify(name)} is unknown`);
}

/** The names of the enabled plugins, in their order. */
export function enabledPlugins({ enabled, disabled }: PluginSelection): readonly string[] {
  return order.filter((name) => enabled.includes(name) || !(defaultOffPluginNames.includes(name) || disabled.includes(name)));
}

/** The enabled ones of the available plugins, in their order. */
export function selectPlugins(available: readonly AdmissionPlugin[], selection: PluginSelection): readonly AdmissionPlugin[] {
  const byName = new Map(available.map((plugin) => [plugin.name, plugin]));
  return enabledPlugins(selection).flatMap((name) => byName.get(name) ?? []);
}
