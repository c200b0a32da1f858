import { defineElements } from '../define-elements.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { UrlFrame } from '../share/url-frame.ts';
import { FetchManifest, unreadableUrl } from './fetch-manifest.ts';
import { OtherNames, otherNamesIn } from './other-names.ts';

/** An element below the output of a failed command that offers a way on: another cluster for its API groups, or a file to fetch. */
export function createFailureHelp(model: ConsoleModel, line: string, output: string): HTMLElement | undefined {
  const url = unreadableUrl(output);
  if (url !== undefined) {
    defineElements({ 'tp-fetch-manifest': FetchManifest, 'tp-url-frame': UrlFrame });
    return Object.assign(new FetchManifest(), { model, url, line });
  }
  const names = otherNamesIn(output, line, model.workspace.names);
  if (names === undefined || model.workspace.kind === 'lesson') return undefined;
  defineElements({ 'tp-other-names': OtherNames });
  return Object.assign(new OtherNames(), { model, names, line });
}
