import { defaultSchedulerName, type ExtensionPoint, type SchedulerConfiguration, type SchedulerProfile } from './configuration.ts';
import { Framework, type ProfilePlugins } from './framework/framework.ts';
import type { Handle, Plugin } from './framework/plugin.ts';
import { defaultPlugins } from './plugins/index.ts';

/** Creates the framework of a profile. @throws Error for an unknown plugin */
export function createFramework(
  configuration: SchedulerConfiguration,
  profile: SchedulerProfile,
  handleOf: (of: () => Framework) => Handle,
): Framework {
  const handle = handleOf(() => framework);
  const framework: Framework = new Framework(profilePlugins(configuration, profile, handle), handle.nominator);
  return framework;
}

function profilePlugins(configuration: SchedulerConfiguration, profile: SchedulerProfile, handle: Handle): ProfilePlugins {
  const { schedulerName = defaultSchedulerName, plugins: sets = {}, pluginConfig = [] } = profile;
  const weights = new Map<string, number>();
  const plugins = enabledNames(profile).map((name) => {
    const known = Object.hasOwn(defaultPlugins, name) ? defaultPlugins[name] : undefined;
    if (!known) throw new Error(`plugin ${JSON.stringify(name)} does not exist`);
    const configured = [...(sets.score?.enabled ?? []), ...(sets.multiPoint?.enabled ?? [])].find((one) => one.name === name)?.weight;
    weights.set(name, configured || known.weight || 1);
    return restrict(known.create(handle, pluginConfig.find((one) => one.name === name)?.args), profile);
  });
  const percentageOfNodesToScore = profile.percentageOfNodesToScore ?? configuration.percentageOfNodesToScore;
  return { schedulerName, plugins, weights, percentageOfNodesToScore };
}

/** The plugins of a profile in their order: the default ones, unless they are disabled, then the enabled ones. */
function enabledNames({ plugins: sets = {} }: SchedulerProfile): readonly string[] {
  const disabled = new Set((sets.multiPoint?.disabled ?? []).map(({ name }) => name));
  const defaults = disabled.has('*') ? [] : Object.keys(defaultPlugins).filter((name) => !disabled.has(name));
  const enabled = Object.values(sets).flatMap((set) => (set?.enabled ?? []).map(({ name }) => name));
  return [...new Set([...defaults, ...enabled])];
}

const extensionPoints: Readonly<Record<Exclude<ExtensionPoint, 'multiPoint'>, readonly (keyof Plugin)[]>> = {
  preEnqueue: ['preEnqueue'],
  queueSort: ['less'],
  preFilter: ['preFilter', 'addPod', 'removePod'],
  filter: ['filter'],
  postFilter: ['postFilter'],
  preScore: ['preScore'],
  score: ['score', 'normalizeScore'],
  reserve: ['reserve', 'unreserve'],
  permit: ['permit'],
  preBind: ['preBind'],
  bind: ['bind'],
  postBind: ['postBind'],
};

/** Removes the extension points at which the profile disables the plugin. */
function restrict(plugin: Plugin, { plugins: sets = {} }: SchedulerProfile): Plugin {
  const removed = Object.entries(extensionPoints).flatMap(([point, methods]) => {
    const { disabled = [], enabled = [] } = sets[point as ExtensionPoint] ?? {};
    const isDisabled = disabled.some(({ name }) => name === '*' || name === plugin.name);
    return isDisabled && !enabled.some(({ name }) => name === plugin.name) ? methods : [];
  });
  if (removed.length === 0) return plugin;
  return Object.fromEntries(Object.entries(plugin).filter(([name]) => !removed.some((method) => method === name))) as unknown as Plugin;
}
