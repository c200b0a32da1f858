import {
  defaultSchedulerName,
  type EnabledPlugin,
  type ExtensionPoint,
  extensionPoints,
  type PluginSet,
  SchedulerConfigError,
  type SchedulerProfile,
} from './configuration.ts';

/** A plugin that can be enabled. */
export interface KnownPlugin {
  readonly points: readonly ExtensionPoint[];
  /** Of its scores, while the plugin is enabled by default. */
  readonly weight?: number;
}

export type KnownPlugins = Readonly<Record<string, KnownPlugin>>;

export interface ResolvedProfile {
  /** All plugins, in the order of the profile. */
  readonly names: readonly string[];
  /** The plugins of each extension point in the order in which they run. */
  readonly byPoint: Readonly<Record<ExtensionPoint, readonly string[]>>;
  /** By plugin with scores. */
  readonly weights: ReadonlyMap<string, number>;
}

/**
 * Finds the plugins of each extension point. `known` lists all plugins, which are enabled by default, in their order. Cf. mergePlugins and
 * NewFramework. @throws SchedulerConfigError
 */
export function resolveProfile(
  { schedulerName = defaultSchedulerName, plugins: sets = {}, pluginConfig = [] }: SchedulerProfile,
  known: KnownPlugins,
): ResolvedProfile {
  const names = pluginConfig.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new SchedulerConfigError(`repeated config for plugin ${repeated}`);
  const multiPoint = mergeDefaults(sets.multiPoint, known);
  const byPoint = {} as Record<ExtensionPoint, readonly string[]>;
  for (const point of extensionPoints) byPoint[point] = enabledAt(point, sets[point], known);
  for (const point of extensionPoints) byPoint[point] = expand(point, { own: byPoint[point], set: sets[point], multiPoint, known });
  const sorts = byPoint.queueSort.length;
  if (sorts !== 1) {
    const shown = JSON.stringify(schedulerName);
    throw new SchedulerConfigError(`only one queue sort plugin required for profile with scheduler name ${shown}, but got ${sorts}`);
  }
  if (byPoint.bind.length === 0) {
    throw new SchedulerConfigError(`at least one bind plugin is needed for profile with scheduler name ${JSON.stringify(schedulerName)}`);
  }
  const all = [...multiPoint, ...extensionPoints.flatMap((point) => sets[point]?.enabled ?? [])].map(({ name }) => name);
  return { names: [...new Set(all)], byPoint, weights: weightsOf([...(sets.score?.enabled ?? []), ...multiPoint], known) };
}

/** The default plugins with the changes of the profile. Cf. mergePluginSet. */
function mergeDefaults({ enabled = [], disabled = [] }: PluginSet = {}, known: KnownPlugins): readonly EnabledPlugin[] {
  const isDisabled = (name: string): boolean => disabled.some((one) => one.name === '*' || one.name === name);
  const defaults = Object.entries(known).flatMap(([name, { weight = 0 }]) => (isDisabled(name) ? [] : [{ name, weight }]));
  const replaced = new Set<EnabledPlugin>();
  const merged = defaults.map((plugin) => {
    const own = enabled.findLast(({ name }) => name === plugin.name);
    if (own) replaced.add(own);
    return own ?? plugin;
  });
  return [...merged, ...enabled.filter((plugin) => !replaced.has(plugin))];
}

/** The plugins that the profile enables at one extension point. Cf. updatePluginList. */
function enabledAt(point: ExtensionPoint, { enabled = [] }: PluginSet = {}, known: KnownPlugins): readonly string[] {
  const names: string[] = [];
  for (const { name } of enabled) {
    const { points } = pluginOf(name, point, known);
    if (!points.includes(point)) throw new SchedulerConfigError(`plugin ${JSON.stringify(name)} does not extend ${typeName(point)} plugin`);
    if (names.includes(name)) throw alreadyRegistered(name, point);
    names.push(name);
  }
  return names;
}

interface Expansion {
  readonly own: readonly string[];
  readonly set: PluginSet | undefined;
  readonly multiPoint: readonly EnabledPlugin[];
  readonly known: KnownPlugins;
}

/** Adds the plugins of multiPoint; those that the extension point configures itself come first. Cf. expandMultiPointPlugins. */
function expand(point: ExtensionPoint, { own, set, multiPoint, known }: Expansion): readonly string[] {
  const disabled = new Set((set?.disabled ?? []).map(({ name }) => name));
  if (multiPoint.length === 0 || disabled.has('*')) return own;
  const overridden = new Set<string>();
  const added: string[] = [];
  for (const { name } of multiPoint) {
    const { points } = pluginOf(name, point, known);
    if (!points.includes(point) || disabled.has(name)) continue;
    if (own.includes(name)) overridden.add(name);
    else if (added.includes(name)) throw alreadyRegistered(name, point);
    else added.push(name);
  }
  return [...own.filter((name) => overridden.has(name)), ...added, ...own.filter((name) => !overridden.has(name))];
}

/** The first weight of a plugin counts; without one it is 1. Cf. getScoreWeights. */
function weightsOf(plugins: readonly EnabledPlugin[], known: KnownPlugins): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const { name, weight } of plugins) {
    if (known[name]?.points.includes('score') && !weights.has(name)) weights.set(name, weight || 1);
  }
  return weights;
}

function pluginOf(name: string, point: ExtensionPoint, known: KnownPlugins): KnownPlugin {
  const plugin = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!plugin) throw new SchedulerConfigError(`${typeName(point)} ${JSON.stringify(name)} does not exist`);
  return plugin;
}

function alreadyRegistered(name: string, point: ExtensionPoint): SchedulerConfigError {
  return new SchedulerConfigError(`plugin ${JSON.stringify(name)} already registered as ${JSON.stringify(typeName(point))}`);
}

/** The name of the Go interface. */
function typeName(point: ExtensionPoint): string {
  return `${point[0]?.toUpperCase()}${point.slice(1)}Plugin`;
}
