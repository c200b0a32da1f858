import type { Env } from '../env/index.ts';
import { defineElements, type Elements } from './define-elements.ts';
import { keptLanguage } from './languages/kept-language.ts';
import type { ConsoleOptions } from './model/connection.ts';
import { ConsoleModel } from './model/console-model.ts';
import { CommandBlock } from './terminal/command-block.ts';
import { CommandLine } from './terminal/command-line.ts';
import { TerminalScreen } from './terminal/terminal-screen.ts';
import { ConsoleApp } from './views/console-app.ts';
import { showKeptLooks } from './views/look.ts';

const elements: Elements = {
  'tp-app': ConsoleApp,
  'tp-command-block': CommandBlock,
  'tp-command-line': CommandLine,
  'tp-terminal': TerminalScreen,
};

/** The screens that the first sight does not need come when the rest has. */
const laterElements = (): Promise<void> => import('./later-elements.ts').then((later) => defineElements(later.laterElements));

/** Before the first word is said. */
async function speakKeptLanguage({ log }: Pick<Env, 'log'>): Promise<void> {
  const language = keptLanguage();
  if (language === 'en') return;
  try {
    const { speak } = await import('./languages/speak.ts');
    await speak(language);
  } catch (error) {
    // English is better than no page.
    log.warn('the words of a language cannot be loaded', { language, error });
  }
}

/** Opens the console in `root`. */
export async function mountConsole(root: HTMLElement, options: ConsoleOptions): Promise<void> {
  showKeptLooks();
  defineElements(elements);
  await speakKeptLanguage(options.env);
  const app = new ConsoleApp();
  app.options = options;
  app.show(await ConsoleModel.open(options));
  root.append(app);
  await app.updateComplete;
  await laterElements();
}
