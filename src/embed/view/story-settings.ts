import { codeOf, type ExamplePage, languageOf, type TabplaneExample } from '../element/index.ts';
import type { StoryKey } from '../protocol.ts';
import { type ExampleSettings, parseSettings, SettingsError } from '../settings.ts';

/** @throws SettingsError */
export function readSettings(page: ExamplePage, example: TabplaneExample): ExampleSettings {
  const code = codeOf(example);
  if (code === null) throw new SettingsError('there is no code block in it');
  return parseSettings(languageOf(code, example), (name) =>
    name === 'setup' ? readSetup(page, example) : page.attributeOf(example, name),
  );
}

/** The `setup` attribute has commands, or the id of an element with them: `#setup`. */
function readSetup(page: ExamplePage, example: TabplaneExample): string | null {
  const setup = page.attributeOf(example, 'setup');
  if (setup === null || !/^#[\w-]+$/.test(setup)) return setup;
  const element = example.ownerDocument.getElementById(setup.slice(1));
  if (element === null) throw new SettingsError(`there is no element ${setup}`);
  return element.textContent;
}

/** Undefined for invalid settings: their error is shown when the example is run. */
export function validSettings(page: ExamplePage, example: TabplaneExample): ExampleSettings | undefined {
  try {
    return readSettings(page, example);
  } catch {
    return undefined;
  }
}

/** The examples that share the cluster of one, in order. Those with invalid settings have none. */
export function storyExamples(page: ExamplePage, example: TabplaneExample): readonly TabplaneExample[] {
  const id = clusterId(page, example);
  return id === undefined ? [] : page.examples().filter((other) => clusterId(page, other) === id);
}

/** The cluster of an example: the settings of all of its examples count. */
export function storyKey(page: ExamplePage, example: TabplaneExample): StoryKey {
  const settings = storyExamples(page, example).flatMap((one) => validSettings(page, one) ?? []);
  return {
    id: clusterId(page, example) ?? '',
    names: settings.find(({ names }) => names !== undefined)?.names,
    nodes: Math.max(0, ...settings.map(({ nodes }) => nodes)),
  };
}

function clusterId(page: ExamplePage, example: TabplaneExample): string | undefined {
  const cluster = validSettings(page, example)?.cluster;
  return cluster === 'own' ? `own-${page.examples().indexOf(example) + 1}` : cluster;
}
