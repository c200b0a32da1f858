import {
  aggregateErrors,
  DurationError,
  duplicate,
  type FieldError,
  fieldErrorTexts,
  invalid,
  type Json,
  type JsonObject,
  type Product,
  parseDuration,
  recordAt,
  required,
  textAt,
} from '../../meta/index.ts';
import {
  defaultSchedulerName,
  profileError,
  SchedulerConfigError,
  type SchedulerConfiguration,
  type SchedulerProfile,
} from '../../scheduler/index.ts';
import type { StructSchema } from '../../schema/index.ts';
import {
  anything,
  bool,
  ConfigurationFileError,
  configurationType,
  decodeTyped,
  double,
  int32,
  int64,
  listOf,
  readTypedFile,
  struct,
  text,
  unregisteredKindError,
} from './configuration-file.ts';
import { pluginArgs } from './scheduler-plugin-args.ts';

const kind = 'KubeSchedulerConfiguration';
const plugins = listOf(struct('Plugin', { name: text, weight: int32 }));
const pluginSet = struct('PluginSet', { enabled: plugins, disabled: plugins });
const points = [
  'preEnqueue',
  'queueSort',
  'preFilter',
  'filter',
  'postFilter',
  'preScore',
  'score',
  'reserve',
  'permit',
  'preBind',
  'bind',
  'postBind',
] as const;

/** The Go package of types that components share. */
const componentBase = 'config/v1alpha1';

const shape = struct(kind, {
  kind: text,
  apiVersion: text,
  parallelism: int32,
  leaderElection: struct(
    'LeaderElectionConfiguration',
    {
      leaderElect: bool,
      leaseDuration: text,
      renewDeadline: text,
      retryPeriod: text,
      resourceLock: text,
      resourceName: text,
      resourceNamespace: text,
    },
    componentBase,
  ),
  clientConnection: struct(
    'ClientConnectionConfiguration',
    {
      kubeconfig: text,
      acceptContentTypes: text,
      contentType: text,
      qps: double,
      burst: int32,
    },
    componentBase,
  ),
  enableProfiling: bool,
  enableContentionProfiling: bool,
  percentageOfNodesToScore: int32,
  podInitialBackoffSeconds: int64,
  podMaxBackoffSeconds: int64,
  profiles: listOf(
    struct('KubeSchedulerProfile', {
      schedulerName: text,
      percentageOfNodesToScore: int32,
      plugins: struct('Plugins', Object.fromEntries([...points, 'multiPoint'].map((point) => [point, pluginSet]))),
      pluginConfig: listOf(struct('PluginConfig', { name: text, args: anything })),
    }),
  ),
  extenders: listOf(anything),
  delayCacheUntilActive: bool,
});

interface Profile extends SchedulerProfile {
  readonly pluginConfig?: readonly { readonly name: string; readonly args?: Json | undefined }[];
}

interface FileConfiguration extends SchedulerConfiguration {
  readonly profiles?: readonly Profile[];
  readonly parallelism?: number;
  readonly extenders?: readonly Json[];
}

/** Reads a KubeSchedulerConfiguration strictly, fills in its defaults and validates all but the existence of plugins (checkProfiles). @throws SchedulerConfigError */
export function readSchedulerConfig(content: string, product: Product): SchedulerConfiguration {
  try {
    const configuration = withDefaults(decode(content, product));
    const errors = validate(configuration);
    if (errors.length > 0) throw new SchedulerConfigError(aggregateErrors(fieldErrorTexts(errors)));
    if (configuration.extenders?.length) throw new SchedulerConfigError('extenders: Forbidden: extenders are not supported');
    for (const profile of configuration.profiles ?? []) checkLateArgs(profile);
    return configuration;
  } catch (error) {
    const isKnown = error instanceof ConfigurationFileError || error instanceof DurationError;
    throw isKnown ? new SchedulerConfigError(error.message, { cause: error }) : error;
  }
}

/** @throws ConfigurationFileError */
function decode(content: string, product: Product): FileConfiguration {
  const { document, apiVersion, kind: found, duplicates } = readTypedFile(content);
  if (found === '') throw new ConfigurationFileError(`Object 'Kind' is missing in '${content}'`);
  if (apiVersion === '') throw new ConfigurationFileError(`Object 'apiVersion' is missing in '${content}'`);
  const group = product.rename('kubescheduler.config.k8s.io');
  const isArgs = Object.keys(pluginArgs).some((name) => found === `${name}Args`);
  if (apiVersion !== `${group}/v1` || (found !== kind && !isArgs)) throw unregisteredKindError(apiVersion, found);
  if (isArgs) throw new ConfigurationFileError(`couldn't decode as ${kind}, got ${apiVersion}, Kind=${found}: `);
  const { value, unknown } = decodeTyped(document, shape);
  const configuration = value as unknown as FileConfiguration;
  for (const name of ['leaseDuration', 'renewDeadline', 'retryPeriod'])
    parseDuration(textAt(recordAt(value, 'leaderElection'), name) || '0s');
  const wrong = [...duplicates, ...unknown];
  const profiles = (configuration.profiles ?? []).map((profile, index) => ({
    ...profile,
    pluginConfig: (profile.pluginConfig ?? []).map((one, at) => {
      const where = `decoding .profiles[${index}].pluginConfig[${at}]`;
      const args = decodeArgs(one, group, where);
      wrong.push(...args.strict.map((text) => `${where}: strict decoding error: ${text}`));
      return { name: one.name ?? '', args: args.value };
    }),
  }));
  if (wrong.length > 0) throw new ConfigurationFileError(`strict decoding error: ${wrong.join(', ')}`);
  return { ...configuration, profiles };
}

/** Arguments of unknown plugins stay as they are. Cf. PluginConfig.decodeNestedObjects. */
function decodeArgs(
  { name, args }: { readonly name: string; readonly args?: Json | undefined },
  group: string,
  where: string,
): { readonly value: Json | undefined; readonly strict: readonly string[] } {
  const known = Object.hasOwn(pluginArgs, name) ? pluginArgs[name] : undefined;
  if (!known || args === undefined || args === null) return { value: args, strict: [] };
  const fail = (why: string): never => {
    throw new ConfigurationFileError(`${where}: ${why}`);
  };
  try {
    const type = configurationType(args);
    const [apiVersion, own] = [type.apiVersion || `${group}/v1`, type.kind || `${name}Args`];
    const isRegistered = apiVersion === `${group}/v1` && Object.keys(pluginArgs).some((one) => own === `${one}Args`);
    if (!isRegistered) throw unregisteredKindError(apiVersion, own);
    if (own !== `${name}Args`) fail(`args for plugin ${name} were not of type ${name}Args.${group}, got ${own}.${group}`);
    const { value, unknown } = decodeTyped(args as JsonObject, known.shape as StructSchema);
    return {
      value,
      strict: unknown.length === 0 ? [] : [`decoding args for plugin ${name}: strict decoding error: ${unknown.join(', ')}`],
    };
  } catch (error) {
    if (error instanceof ConfigurationFileError) return fail(`decoding args for plugin ${name}: ${error.message}`);
    throw error;
  }
}

/** Only a single profile has a default name. Cf. SetDefaults_KubeSchedulerConfiguration. */
function withDefaults({ profiles = [], ...configuration }: FileConfiguration): FileConfiguration {
  const [only = {}] = profiles;
  const named = profiles.length > 1 ? profiles : [{ ...only, schedulerName: only.schedulerName ?? defaultSchedulerName }];
  return { podInitialBackoffSeconds: 1, podMaxBackoffSeconds: 10, parallelism: 16, ...configuration, profiles: named.map(withArgDefaults) };
}

function withArgDefaults(profile: Profile): Profile {
  const pluginConfig = (profile.pluginConfig ?? []).map(({ name, args }) => {
    const known = Object.hasOwn(pluginArgs, name) ? pluginArgs[name] : undefined;
    return { name, args: (known?.withDefaults?.((args ?? {}) as object) as JsonObject | undefined) ?? args };
  });
  return { ...profile, pluginConfig };
}

/** Cf. ValidateKubeSchedulerConfiguration. */
function validate(configuration: FileConfiguration): readonly FieldError[] {
  const {
    parallelism = 0,
    profiles = [],
    percentageOfNodesToScore,
    podInitialBackoffSeconds = 0,
    podMaxBackoffSeconds = 0,
  } = configuration;
  const errors: FieldError[] = [];
  if (parallelism <= 0) errors.push(invalid('parallelism', parallelism, 'should be an integer value greater than zero'));
  for (const [index, profile] of profiles.entries()) {
    const path = `profiles[${index}]`;
    errors.push(...profileErrors(profile, path));
    const isRepeated = profiles.slice(0, index).some(({ schedulerName = '' }) => schedulerName === (profile.schedulerName ?? ''));
    // The real value is the path of the other profile, a struct without public members.
    if (isRepeated) errors.push(duplicate(`${path}.schedulerName`, {}));
  }
  errors.push(...queueSortErrors(profiles), ...percentageErrors(percentageOfNodesToScore, 'percentageOfNodesToScore'));
  if (podInitialBackoffSeconds <= 0) errors.push(invalid('podInitialBackoffSeconds', podInitialBackoffSeconds, 'must be greater than 0'));
  if (podMaxBackoffSeconds < podInitialBackoffSeconds) {
    errors.push(invalid('podMaxBackoffSeconds', podMaxBackoffSeconds, 'must be greater than or equal to PodInitialBackoffSeconds'));
  }
  return errors;
}

function profileErrors({ schedulerName = '', percentageOfNodesToScore, pluginConfig = [] }: Profile, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (schedulerName === '') errors.push(required(`${path}.schedulerName`, ''));
  errors.push(...percentageErrors(percentageOfNodesToScore, `${path}.percentageOfNodesToScore`));
  for (const [index, { name, args }] of pluginConfig.entries()) {
    const field = `${path}.pluginConfig[${index}]`;
    if (pluginConfig.findIndex((one) => one.name === name) < index) errors.push(duplicate(field, name));
    const known = Object.hasOwn(pluginArgs, name) ? pluginArgs[name] : undefined;
    if (known && !known.isLate) errors.push(...known.validate((args ?? {}) as object, `${field}.args`));
  }
  return errors;
}

/** Cf. validateCommonQueueSort. */
function queueSortErrors(profiles: readonly Profile[]): readonly FieldError[] {
  const [first] = profiles;
  const length = first?.plugins?.queueSort?.enabled?.length ?? 0;
  const errors: FieldError[] = [];
  if (length > 1) errors.push(invalid('profiles[0].plugins.queueSort.Enabled', length, 'only one queue sort plugin can be enabled'));
  const shown = ({ plugins: sets }: Profile): string => {
    const { enabled = [], disabled = [] } = sets?.queueSort ?? {};
    return JSON.stringify({ Enabled: enabled.length === 0 ? null : enabled, Disabled: disabled.length === 0 ? null : disabled });
  };
  for (const [index, profile] of profiles.entries()) {
    if (first && shown(profile) !== shown(first)) {
      errors.push(invalid(`profiles[${index}].plugins.queueSort`, JSON.parse(shown(profile)), 'must be the same for all profiles'));
    }
  }
  return errors;
}

function percentageErrors(value: number | undefined, path: string): readonly FieldError[] {
  return value !== undefined && (value < 0 || value > 100) ? [invalid(path, value, 'not in valid range [0-100]')] : [];
}

/** @throws SchedulerConfigError */
function checkLateArgs({ schedulerName = defaultSchedulerName, pluginConfig = [] }: Profile): void {
  for (const { name, args } of pluginConfig) {
    const known = Object.hasOwn(pluginArgs, name) ? pluginArgs[name] : undefined;
    const errors = known?.isLate ? known.validate((args ?? {}) as object, '') : [];
    if (errors.length === 0) continue;
    const message = aggregateErrors(errors.map((one) => `${one.field}: ${one.message}`));
    throw profileError(schedulerName, `initializing plugin ${JSON.stringify(name)}: ${message}`);
  }
}
