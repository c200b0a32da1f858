import { componentsScript, coreScripts, descriptionsFile, engineScript, exampleWorkerFile } from 'virtual:tabplane-build';
import type { ExamplePage, ExampleViews } from '../../embed/element/index.ts';
import { EngineClient, openViews } from '../../embed/view/index.ts';
import { startEngine } from './start-engine.ts';

const schedule = (ms: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** Entry point of the script that the element loads when an example is used. `at`: the absolute URL of a built file. */
export function createViews(page: ExamplePage, at: (file: string) => string, playgroundUrl: string): ExampleViews {
  const urls = {
    core: coreScripts.map(at),
    engine: at(engineScript),
    components: at(componentsScript),
    descriptions: at(descriptionsFile),
  };
  const engine = new EngineClient({ start: () => startEngine(urls, at(exampleWorkerFile)), schedule });
  return openViews({ ...page, engine, playgroundUrl });
}
