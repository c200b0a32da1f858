import { exampleWorkerFile } from 'virtual:tabplane-build';
import type { ExamplePage, ExampleViews } from '../../embed/element/index.ts';
import { EngineClient, openViews } from '../../embed/view/index.ts';
import { scriptUrls } from './script-urls.ts';
import { startEngine } from './start-engine.ts';

const schedule = (ms: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** Entry point of the script that the element loads when an example is used. `at`: the absolute URL of a built file. */
export function createViews(page: ExamplePage, at: (file: string) => string, playgroundUrl: string): ExampleViews {
  const engine = new EngineClient({ start: () => startEngine(scriptUrls(at), at(exampleWorkerFile)), schedule });
  return openViews({ ...page, engine, playgroundUrl });
}
