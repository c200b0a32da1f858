import type { StoryKey } from '../protocol.ts';
import type { EngineClient } from './engine-client.ts';
import type { TabplaneExample } from './tabplane-example.ts';

/** What all examples of a page share. */
export interface ExamplePage {
  readonly engine: EngineClient;
  /** Absolute URL of the page that opens links. */
  readonly playgroundUrl: string;
  /** The default of an attribute, from the script element; `null` for none. */
  defaultOf(attribute: string): string | null;
  /** All examples in the order of the document. */
  examples(): readonly TabplaneExample[];
}

/** The examples that share the cluster of one, in order. Those with invalid settings have none. */
export function storyExamples(page: ExamplePage, example: TabplaneExample): readonly TabplaneExample[] {
  const id = example.clusterId;
  return id === undefined ? [] : page.examples().filter((other) => other.clusterId === id);
}

/** The cluster of an example: the settings of all of its examples count. */
export function storyKey(page: ExamplePage, example: TabplaneExample): StoryKey {
  const settings = storyExamples(page, example).flatMap((one) => one.settings ?? []);
  return {
    id: example.clusterId ?? '',
    names: settings.find(({ names }) => names !== undefined)?.names,
    nodes: Math.max(0, ...settings.map(({ nodes }) => nodes)),
  };
}
