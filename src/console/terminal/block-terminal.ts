import { msg } from '@lit/localize';
import { css } from 'lit';
import { createMessagePair, type MessageConnection } from '../../env/index.ts';
import { LineEditor, type TerminalSession, type TerminalSize } from '../../shell/index.ts';
import { TerminalView } from './terminal-view.ts';

/** The keys of a terminal that are not characters. */
const keys: Readonly<Record<string, string>> = {
  Enter: '\r',
  Backspace: '\x7f',
  Tab: '\t',
  Escape: '\x1b',
  ArrowUp: '\x1b[A',
  ArrowDown: '\x1b[B',
  ArrowRight: '\x1b[C',
  ArrowLeft: '\x1b[D',
  Home: '\x1b[H',
  End: '\x1b[F',
  Delete: '\x1b[3~',
};

/** Opens the terminal of a command block below its output so far. */
export function openBlockTerminal(root: ParentNode, mode: 'raw' | 'lines', onAppend: () => void): BlockTerminal {
  const output = document.createElement('div');
  root.querySelector('pre')?.append(output);
  adoptStyles(output);
  return new BlockTerminal(output, mode, onAppend);
}

/** They are loaded with the terminal only. */
function adoptStyles(element: Element): void {
  const root = element.getRootNode();
  if (!(root instanceof ShadowRoot)) return;
  const { styleSheet } = terminalStyles;
  if (styleSheet && !root.adoptedStyleSheets.includes(styleSheet)) root.adoptedStyleSheets.push(styleSheet);
}

const terminalStyles = css`
  /* Else the keyboard would be placed, and scrolled to, outside of the log. */
  pre:has(> .keyboard) {
    position: relative;
  }
  .terminal {
    cursor: text;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .terminal:has(+ .keyboard:focus) {
    outline: 2px solid var(--accent);
    outline-offset: 0.25rem;
    border-radius: var(--radius-small);
  }
  .caret {
    box-shadow: inset 0 0 0 1px var(--muted);
  }
  .terminal:has(+ .keyboard:focus) .caret {
    background: var(--text);
    color: var(--surface);
  }
  .keyboard {
    position: absolute;
    width: 1px;
    height: 1.5em;
    padding: 0;
    border: 0;
    opacity: 0;
    outline: none;
  }
  .bold {
    font-weight: 700;
  }
  .inverse {
    background: var(--text);
    color: var(--surface);
  }
  .c0 {
    color: var(--muted);
  }
  .c1 {
    color: var(--bad);
  }
  .c2 {
    color: light-dark(#1b6e2d, #7ddc93);
  }
  .c3 {
    color: var(--warn);
  }
  .c4 {
    color: light-dark(#1f56b3, #8db8ff);
  }
  .c5 {
    color: light-dark(#8a2f9e, #e2a0f2);
  }
  .c6 {
    color: var(--accent);
  }
`;

/** The terminal of one interactive command, within the output of its block. */
export class BlockTerminal implements TerminalSession {
  readonly input: AsyncIterable<Uint8Array>;
  readonly sizes: AsyncIterable<TerminalSize>;
  readonly view: TerminalView;
  isOpen = true;
  readonly #output: HTMLElement;
  readonly #keyboard: HTMLTextAreaElement;
  readonly #typed: MessageConnection<Uint8Array>;
  readonly #resized: MessageConnection<TerminalSize>;
  readonly #observer: ResizeObserver;
  readonly #send: (keys: string) => void;

  /** `output` is the element of the output, in which keys are received; `onAppend` is called when it has grown. */
  constructor(output: HTMLElement, mode: 'raw' | 'lines', onAppend: () => void) {
    this.#output = output;
    const [typed, input] = createMessagePair<Uint8Array>();
    const [resized, sizes] = createMessagePair<TerminalSize>();
    this.#typed = typed;
    this.#resized = resized;
    this.input = input.messages;
    this.sizes = sizes.messages;
    this.view = new TerminalView(output, onAppend);
    this.#send = mode === 'raw' ? (text) => this.#emit(text) : this.#editLines();
    this.#keyboard = this.#createKeyboard();
    output.after(this.#keyboard);
    output.classList.add('terminal');
    output.addEventListener('click', this.#focusUnlessSelected);
    this.#observer = new ResizeObserver(() => this.#measure());
    this.#observer.observe(output);
    this.#measure();
    this.view.flush();
    this.#keyboard.focus({ preventScroll: true });
  }

  close(): void {
    this.isOpen = false;
    void this.#typed.close();
    void this.#resized.close();
    this.#observer.disconnect();
    this.view.close();
    this.#output.classList.remove('terminal');
    this.#output.removeEventListener('click', this.#focusUnlessSelected);
    const hadFocus = this.#keyboard.matches(':focus');
    const { parentNode } = this.#keyboard;
    this.#keyboard.remove();
    if (hadFocus) parentNode?.dispatchEvent(new CustomEvent('released', { bubbles: true, composed: true }));
  }

  #emit(text: string): void {
    void this.#typed.send(new TextEncoder().encode(text));
  }

  #editLines(): (keys: string) => void {
    const editor = new LineEditor({
      echo: (text) => this.view.write(text.replaceAll('\n', '\r\n')),
      line: (text) => this.#emit(text),
      end: () => void this.#typed.close(),
      signal: () => this.#output.dispatchEvent(new CustomEvent('interrupt', { bubbles: true, composed: true })),
    });
    return (text) => editor.type(text);
  }

  /** Input methods and touch keyboards need an element for text; it is not visible. */
  #createKeyboard(): HTMLTextAreaElement {
    const keyboard = document.createElement('textarea');
    keyboard.className = 'keyboard';
    keyboard.rows = 1;
    keyboard.spellcheck = false;
    keyboard.autocapitalize = 'off';
    keyboard.setAttribute('autocomplete', 'off');
    keyboard.setAttribute('aria-label', msg('Terminal input'));
    keyboard.setAttribute('aria-description', msg('Shift+Tab leaves the terminal'));
    keyboard.addEventListener('keydown', (event) => this.#press(event));
    keyboard.addEventListener('input', (event) => {
      if ((event as InputEvent).isComposing) return;
      this.#send(keyboard.value.replace(/\r?\n/g, '\r'));
      keyboard.value = '';
    });
    return keyboard;
  }

  #press(event: KeyboardEvent): void {
    const text = textOf(event);
    if (text === undefined) return;
    // Ctrl-C copies what is selected.
    if (text === '\x03' && document.getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    event.stopPropagation();
    this.#send(text);
  }

  readonly #focusUnlessSelected = (): void => {
    if (document.getSelection()?.isCollapsed !== false) this.#keyboard.focus({ preventScroll: true });
  };

  #measure(): void {
    const probe = document.createElement('span');
    probe.textContent = 'x'.repeat(20);
    this.#output.append(probe);
    const { width, height } = probe.getBoundingClientRect();
    probe.remove();
    if (width === 0) return;
    const { paddingLeft, paddingRight } = getComputedStyle(this.#output);
    const inner = this.#output.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    void this.#resized.send({
      columns: Math.max(20, Math.floor((inner * 20) / width)),
      rows: Math.max(8, Math.floor((globalThis.innerHeight * 0.6) / height)),
    });
  }
}

/** What a terminal sends for a key; undefined: the text of the key, or a key of the browser. */
function textOf({ key, ctrlKey, altKey, metaKey, shiftKey, isComposing }: KeyboardEvent): string | undefined {
  if (isComposing || metaKey || altKey) return undefined;
  if (!ctrlKey) return shiftKey && key === 'Tab' ? undefined : keys[key];
  if (shiftKey) return undefined;
  return /^[a-z\\]$/.test(key) && key !== 'v' ? String.fromCharCode(key.toUpperCase().charCodeAt(0) & 31) : undefined;
}
