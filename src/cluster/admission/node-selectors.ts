import type { NodeSelectors } from '../../admission/index.ts';
import { ConfigurationFileError } from '../configuration/configuration-file.ts';
import { objectAt, parseDocument, splitDocuments } from './unversioned-file.ts';

/** Reads the settings of PodNodeSelector; like the real server, without the documents that it cannot read. */
export function readNodeSelectors(content: string): NodeSelectors {
  return Object.fromEntries(splitDocuments(content).flatMap((text) => Object.entries(selectorsOf(text))));
}

function selectorsOf(text: string): NodeSelectors {
  try {
    const selectors = Object.entries(objectAt(parseDocument(text), 'podNodeSelectorPluginConfig'));
    return Object.fromEntries(selectors.flatMap(([name, selector]) => (typeof selector === 'string' ? [[name, selector]] : [])));
  } catch (error) {
    if (error instanceof ConfigurationFileError) return {};
    throw error;
  }
}
