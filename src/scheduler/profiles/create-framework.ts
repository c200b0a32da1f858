import { Framework, type ProfilePlugins } from '../framework/framework.ts';
import type { Handle } from '../framework/plugin.ts';
import { defaultPlugins } from '../plugins/index.ts';
import { defaultSchedulerName, extensionPoints, type SchedulerConfiguration, type SchedulerProfile } from './configuration.ts';
import { resolveProfile } from './resolve-profile.ts';

/** Creates the framework of a profile. @throws SchedulerConfigError */
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
  const { names, byPoint, weights } = resolveProfile(profile, defaultPlugins);
  const argsOf = (plugin: string): unknown => profile.pluginConfig?.find(({ name }) => name === plugin)?.args;
  const plugins = new Map(
    names.flatMap((name) => (defaultPlugins[name] ? [[name, defaultPlugins[name].create(handle, argsOf(name))]] : [])),
  );
  return {
    schedulerName: profile.schedulerName ?? defaultSchedulerName,
    plugins: [...plugins.values()],
    byPoint: Object.fromEntries(extensionPoints.map((point) => [point, byPoint[point].flatMap((name) => plugins.get(name) ?? [])])),
    weights,
    percentageOfNodesToScore: profile.percentageOfNodesToScore ?? configuration.percentageOfNodesToScore,
  };
}
