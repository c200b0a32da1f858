import { expect, test } from 'vitest';
import type { AdmissionPlugin } from './admission.ts';
import { selectPlugins, validatePluginSelection } from './plugin-selection.ts';

test('rejects unknown plugins and plugins both enabled and disabled', () => {
  expect(validatePluginSelection({ enabled: ['Nope', 'Priority'], disabled: ['Priority', 'Never'] })).toEqual([
    'enable-admission-plugins plugin "Nope" is unknown',
    'disable-admission-plugins plugin "Never" is unknown',
    '[Priority] in enable-admission-plugins and disable-admission-plugins overlapped',
  ]);
  expect(validatePluginSelection({ enabled: ['NodeRestriction'], disabled: ['Priority'] })).toEqual([]);
});

test('enables the default plugins and those of the flag, in upstream order', () => {
  const plugin = (name: string): AdmissionPlugin => ({ name, handles: () => true });
  const plugins = ['Priority', 'AlwaysPullImages', 'LimitRanger', 'NodeRestriction'].map(plugin);
  const names = (enabled: readonly string[], disabled: readonly string[]) =>
    selectPlugins(plugins, { enabled, disabled }).map(({ name }) => name);
  expect(names([], [])).toEqual(['LimitRanger', 'Priority']);
  expect(names(['NodeRestriction'], ['LimitRanger'])).toEqual(['NodeRestriction', 'Priority']);
});
