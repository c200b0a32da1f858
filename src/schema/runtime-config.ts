import { type FeatureGates, type Product, parseBool } from '../meta/index.ts';
import { formatGroupVersion, parseGroupVersion } from './resources.ts';

/** `--runtime-config`: enables or disables versions and resources: `batch/v1` → `false`, `api/beta` → `true`. */
export type RuntimeConfig = ReadonlyMap<string, string>;

/** An invalid `--runtime-config`, with which the real server does not start; the message is the real server's. */
export class RuntimeConfigError extends Error {
  override readonly name = 'RuntimeConfigError';
}

/** A group with all its versions, and which of them are enabled by default. */
export interface ServableGroup {
  readonly name: string;
  readonly versions: readonly string[];
  readonly on: Readonly<Record<string, string>>;
}

/** Whether a resource, or one of its subresources, is served. */
export type IsServed = (groupVersion: string, resource: string, subresource?: string) => boolean;

/** Keys for all groups and the versions they select, in order of precedence. */
const stageKeys: readonly (readonly [key: string, version: RegExp])[] = [
  ['api/all', /^/],
  ['api/ga', /^v\d+$/],
  ['api/beta', /^v\d+beta\d+$/],
  ['api/alpha', /^v\d+alpha\d+$/],
];

/** Removed versions: settings may name them, without effect. */
const removedVersions = `
  admission.k8s.io/v1 admission.k8s.io/v1beta1 apiextensions.k8s.io/v1beta1 apiregistration.k8s.io/v1beta1 apps/v1beta1 apps/v1beta2
  authentication.k8s.io/v1alpha1 authentication.k8s.io/v1beta1 authorization.k8s.io/v1beta1 autoscaling/v2beta1 autoscaling/v2beta2
  batch/v1beta1 discovery.k8s.io/v1beta1 events.k8s.io/v1beta1 extensions/v1beta1 flowcontrol.apiserver.k8s.io/v1beta1
  flowcontrol.apiserver.k8s.io/v1beta2 flowcontrol.apiserver.k8s.io/v1beta3 imagepolicy.k8s.io/v1alpha1 node.k8s.io/v1beta1 policy/v1beta1
  rbac.authorization.k8s.io/v1alpha1 rbac.authorization.k8s.io/v1beta1 scheduling.k8s.io/v1alpha1 scheduling.k8s.io/v1beta1`;

/** Resources and subresources that require a feature gate. */
const gatedResources: Readonly<Record<string, string>> = {
  clustertrustbundles: 'ClusterTrustBundle',
  podcertificaterequests: 'PodCertificateRequest',
  storageversionmigrations: 'StorageVersionMigrator',
  'pods/resize': 'InPlacePodVerticalScaling',
};

/** Cf. upstream APIEnablementOptions.Validate and resourceconfig.MergeAPIResourceConfigs. @throws RuntimeConfigError */
export function createIsServed(
  groups: readonly ServableGroup[],
  product: Product,
  { runtimeConfig, featureGates }: { readonly runtimeConfig: RuntimeConfig; readonly featureGates: FeatureGates },
): IsServed {
  const config = normalizeCoreVersion(runtimeConfig);
  validateKeys(config, groups, product);
  const versions = defaultVersions(groups);
  applyStageKeys(config, versions);
  const resources = new Map<string, boolean>();
  for (const { groupVersion, resource, enabled } of readPreferences(config, versions, product)) {
    if (resource === undefined) versions.set(groupVersion, enabled);
    else resources.set(`${groupVersion}/${resource}`, enabled);
  }
  return (groupVersion, resource, subresource) => {
    const gate = gatedResources[subresource === undefined ? resource : `${resource}/${subresource}`];
    if (gate !== undefined && !featureGates.enabled(gate)) return false;
    return resources.get(`${groupVersion}/${resource}`) ?? versions.get(groupVersion) ?? false;
  };
}

/** Old names of the core group's version select all of it; `api/legacy` has no effect any more. */
function normalizeCoreVersion(config: RuntimeConfig): RuntimeConfig {
  const named = [...config].flatMap(([key, value]): readonly (readonly [string, string])[] => {
    if (key === 'api/legacy') return [];
    return [[/^(?:api\/)?v1(?:\/|$)/.test(key) ? '/v1' : key, value]];
  });
  return new Map(named);
}

function defaultVersions(groups: readonly ServableGroup[]): Map<string, boolean> {
  const all = groups.flatMap(({ name, versions, on }) =>
    versions.map((version) => ({ group: name, version, on: on[version] === 'default' })),
  );
  return new Map(all.map(({ on, ...place }) => [formatGroupVersion(place), on]));
}

/** Checks the form of all keys before evaluating them. */
function validateKeys(config: RuntimeConfig, groups: readonly ServableGroup[], product: Product): void {
  if (config.size === 1 && config.get('api/all') === 'false') throw new RuntimeConfigError('invalid key with only api/all=false');
  const known = new Set([...groups.map(({ name }) => name), ...removedVersionsOf(product).map((one) => parseGroupVersion(one).group)]);
  const unknown: string[] = [];
  for (const key of ownKeys(config)) {
    const tokens = key.split('/');
    if (tokens.length !== 2 && tokens.length !== 3) throw new RuntimeConfigError(`runtime-config invalid key ${key}`);
    if (!known.has(tokens[0] ?? '')) unknown.push(tokens[0] ?? '');
  }
  if (unknown.length > 0) throw new RuntimeConfigError(`unknown api groups ${unknown.join(',')}`);
}

function ownKeys(config: RuntimeConfig): readonly string[] {
  return [...config.keys()].filter((key) => !stageKeys.some(([stage]) => stage === key));
}

function removedVersionsOf(product: Product): readonly string[] {
  return product.rename(removedVersions).trim().split(/\s+/);
}

function applyStageKeys(config: RuntimeConfig, versions: Map<string, boolean>): void {
  for (const [key, pattern] of stageKeys) {
    const value = config.get(key);
    if (value === undefined) continue;
    if (value !== 'true' && value !== 'false') throw new RuntimeConfigError(`invalid value ${key}=${value}`);
    for (const groupVersion of versions.keys()) {
      if (pattern.test(parseGroupVersion(groupVersion).version)) versions.set(groupVersion, value === 'true');
    }
  }
}

interface Preference {
  readonly groupVersion: string;
  /** Undefined for a whole version. */
  readonly resource: string | undefined;
  readonly enabled: boolean;
}

function readPreferences(config: RuntimeConfig, versions: ReadonlyMap<string, boolean>, product: Product): readonly Preference[] {
  const known = new Set([...versions.keys(), ...removedVersionsOf(product)]);
  return ownKeys(config).map((key) => {
    const [group = '', version = '', resource] = key.split('/');
    const groupVersion = formatGroupVersion({ group, version });
    if (!known.has(groupVersion)) throw new RuntimeConfigError(`group version ${groupVersion} that has not been registered`);
    const text = config.get(key) ?? '';
    const enabled = text === '' ? true : parseBool(text);
    if (enabled === undefined) {
      const why = `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`;
      throw new RuntimeConfigError(`invalid value of ${key}: ${text}, err: ${why}`);
    }
    if (resource !== undefined && resource !== resource.toLowerCase()) {
      const why = `group/version/resource and resource is always lowercase plural, not ${JSON.stringify(resource)}`;
      throw new RuntimeConfigError(`invalid key ${key}: ${why}`);
    }
    return { groupVersion, resource, enabled };
  });
}
