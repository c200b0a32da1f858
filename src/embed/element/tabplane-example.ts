import { errorMessage } from '../../env/index.ts';
import { type BarMessageName, barMessages, type Translate, translateFor } from './bar-messages.ts';
import { barStyles } from './bar-styles.ts';
import { codeOf, textOf } from './code-block.ts';
import type { ExampleElement } from './example-element.ts';
import type { ExamplePage, ExampleView } from './example-page.ts';

/** One sheet for all examples. */
const sheet = new CSSStyleSheet();
sheet.replaceSync(barStyles);

/** A code block with buttons. Its content is the block. Everything else is loaded when the example is used. */
export abstract class TabplaneExample extends HTMLElement implements ExampleElement {
  abstract readonly page: ExamplePage;
  readonly #root = this.attachShadow({ mode: 'open' });
  readonly #status = create('span', { class: 'status', part: 'status', role: 'status' });
  #view: ExampleView | undefined;

  connectedCallback(): void {
    if (this.#view) return;
    const { page } = this;
    for (const name of ['theme', 'lang']) {
      const value = page.attributeOf(this, name);
      if (value !== null) this.setAttribute(name, value);
    }
    this.#renderBar();
    if (this.isEditable) this.#whenVisible(() => this.view());
    if (page.attributeOf(this, 'load') === 'visible') this.#whenVisible(async () => (await page.loadViews()).startEngine());
  }

  get isReadonly(): boolean {
    return this.page.attributeOf(this, 'readonly') !== null;
  }

  /** Whether the block is an editor from the start. */
  get isEditable(): boolean {
    return this.page.attributeOf(this, 'editable') !== null && !this.isReadonly;
  }

  get value(): string {
    const code = codeOf(this);
    return this.#view?.value ?? (code === null ? '' : textOf(code));
  }

  run(): Promise<void> {
    return this.#use((view) => view.run());
  }

  runUpToHere(): Promise<void> {
    return this.#use((view) => view.runUpToHere());
  }

  reset(): Promise<void> {
    return this.#use((view) => view.reset());
  }

  clear(): void {
    this.#view?.clear();
  }

  /** The view, which takes the place of the buttons. */
  async view(): Promise<ExampleView> {
    const views = await this.page.loadViews();
    if (this.#view) return this.#view;
    const focused = this.#buttons.findIndex((button) => button.matches(':focus'));
    this.#root.replaceChildren();
    this.#view = views.open(this, this.#root);
    this.#buttons[focused]?.focus();
    return this.#view;
  }

  get #buttons(): readonly HTMLButtonElement[] {
    return [...this.#root.querySelectorAll('button')];
  }

  async #use(action: (view: ExampleView) => unknown): Promise<void> {
    this.#setStatus('loading', '', true);
    try {
      await action(await this.view());
    } catch (error) {
      this.#setStatus('error', errorMessage(error), false);
    }
  }

  #renderBar(): void {
    const { page } = this;
    this.#root.adoptedStyleSheets = [sheet];
    const load = (): void => void page.loadViews().catch(() => undefined);
    const button = (name: BarMessageName, action: () => unknown, kind = ''): HTMLElement => {
      const made = create('button', { type: 'button', class: kind, part: `button ${name}` }, this.#translate(name));
      made.addEventListener('click', () => void action());
      return made;
    };
    const bar = create(
      'div',
      { class: 'bar', part: 'bar' },
      button('run', () => this.run(), 'primary'),
    );
    if (this.#isLater) bar.append(button('runUpToHere', () => this.runUpToHere()));
    if (!this.isReadonly) bar.append(button('edit', () => this.#use((view) => view.edit())));
    bar.append(this.#status);
    // A click that follows need not wait.
    for (const type of ['pointerover', 'focusin']) bar.addEventListener(type, load, { once: true });
    const label = this.#translate('example', page.examples().indexOf(this) + 1);
    this.#root.replaceChildren(create('div', { role: 'group', 'aria-label': label, part: 'example' }, create('slot', {}), bar));
  }

  /** Whether an earlier example has the same cluster. */
  get #isLater(): boolean {
    const clusterOf = (example: Element): string => this.page.attributeOf(example, 'cluster') ?? 'page';
    const cluster = clusterOf(this);
    return (
      cluster !== 'own' && this.page.examples().findIndex((example) => clusterOf(example) === cluster) < this.page.examples().indexOf(this)
    );
  }

  get #translate(): Translate<BarMessageName> {
    return translateFor(this, barMessages.english, barMessages.german);
  }

  /** Before the view is there. A button that is really disabled would lose the focus. */
  #setStatus(name: BarMessageName, value: string, isLoading: boolean): void {
    if (this.#view) return;
    this.#status.textContent = this.#translate(name, value);
    for (const button of this.#buttons) button.ariaDisabled = String(isLoading);
  }

  /** A failure is shown when the reader uses the example. */
  #whenVisible(action: () => Promise<unknown>): void {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      action().catch(() => undefined);
    });
    observer.observe(this);
  }
}

function create(tag: string, attributes: Readonly<Record<string, string>>, ...children: readonly (Node | string)[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
