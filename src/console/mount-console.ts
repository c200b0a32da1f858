import type { Env } from '../env/index.ts';
import { defineElements, type Elements } from './define-elements.ts';
import { currentLanguage } from './languages/current-language.ts';
import type { ConsoleOptions } from './model/connection.ts';
import { ConsoleModel } from './model/console-model.ts';
import { CommandBlock } from './terminal/command-block.ts';
import { CommandLine } from './terminal/command-line.ts';
import { TerminalScreen } from './terminal/terminal-screen.ts';
import { ConsoleApp } from './views/console-app.ts';
import { readLastCluster } from './views/last-cluster.ts';
import { applyPreferences } from './views/preferences.ts';

const elements: Elements = {
  'tp-app': ConsoleApp,
  'tp-command-block': CommandBlock,
  'tp-command-line': CommandLine,
  'tp-terminal': TerminalScreen,
};

/** Loads the translation of the chosen language. Runs before the first render. */
async function loadLanguage({ log }: Pick<Env, 'log'>): Promise<void> {
  const language = currentLanguage();
  if (language === 'en') return;
  try {
    const { loadTranslation } = await import('./languages/load-translation.ts');
    await loadTranslation(language);
  } catch (error) {
    // Falls back to English.
    log.warn('the words of a language cannot be loaded', { language, error });
  }
}

/** Opens the console in `root`. */
export async function mountConsole(root: HTMLElement, options: ConsoleOptions): Promise<void> {
  applyPreferences();
  defineElements(elements);
  await loadLanguage(options.env);
  const app = new ConsoleApp();
  app.options = options;
  const loading = import('./lazy-elements.ts');
  const model = await ConsoleModel.open(options);
  // Another cluster is opened within the page, which explains when it is missing.
  if (/[?&](?:cluster|names)=/.test(location.href) || readLastCluster() !== '') await begin(app, model, loading);
  else app.show(model);
  root.append(app);
  await app.updateComplete;
  if (app.controller === undefined) await begin(app, model, loading);
}

/** Loads what the first render of the default cluster does not need, and opens the cluster of the address. */
async function begin(app: ConsoleApp, model: ConsoleModel, loading: Promise<typeof import('./lazy-elements.ts')>): Promise<void> {
  const { FrameController, lazyElements } = await loading;
  defineElements(lazyElements);
  new FrameController(app).begin(model);
}
