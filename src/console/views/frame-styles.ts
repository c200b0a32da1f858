import { type CSSResult, css } from 'lit';

/** The frame: bars, rail, the screen, and the console below it or beside a lesson. */
export const frameStyles: CSSResult = css`
  :host {
    display: grid;
    grid-template: auto auto minmax(0, 1fr) / auto minmax(0, 1fr);
    grid-template-areas: 'top top' 'offer offer' 'rail main';
    height: 100dvh;
    background: var(--ground);
  }
  [role='navigation'] {
    position: absolute;
  }
  .skip {
    position: absolute;
    width: max-content;
    inset: 0.25rem auto auto 0.25rem;
    z-index: 5;
    padding: 0.5rem 0.75rem;
    border-radius: var(--radius-small);
    background: var(--accent);
    color: var(--accent-text);
  }
  .skip:not(:focus) {
    clip-path: inset(50%);
  }
  tp-top-bar {
    grid-area: top;
    /* Loaded after the command line; the reserved size prevents a layout shift. */
    min-height: calc(3rem + 1px);
  }
  .notices {
    grid-area: offer;
  }
  nav {
    grid-area: rail;
    min-width: 4.75rem;
    padding: 0.5rem 0.375rem;
    border-inline-end: 1px solid var(--line);
    background: var(--surface);
  }
  nav ul {
    display: grid;
    gap: 0.25rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  nav a,
  nav button {
    width: 100%;
    min-width: 4rem;
    display: grid;
    justify-items: center;
    gap: 0.125rem;
    padding: 0.5rem 0.25rem 0.375rem;
    border: 0;
    border-radius: var(--radius);
    background: none;
    color: var(--muted);
    font-size: 0.6875rem;
    line-height: 1.5;
    text-decoration: none;
  }
  nav :is(a, button):hover {
    background: var(--sunken);
  }
  nav a[aria-current] {
    background: var(--accent-soft);
    color: var(--accent);
    font-weight: 600;
  }
  nav .narrow {
    display: none;
  }
  nav svg {
    width: 1.25rem;
    height: 1.25rem;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.6;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  main {
    grid-area: main;
    min-width: 0;
    min-height: 0;
    display: grid;
    grid-template: minmax(0, 1fr) / minmax(0, 1fr);
  }
  main > * {
    min-height: 0;
    height: 100%;
  }
  main > tp-dock[tab='console'] {
    height: auto;
  }
  main.docked {
    grid-template-rows: minmax(0, 1fr) auto var(--dock, 40%);
  }
  main > tp-terminal {
    order: 3;
  }
  main.docked:not(.console) {
    grid-template-rows: minmax(0, 1fr) var(--dock, 40%);
  }
  main.beside {
    grid-template-columns: minmax(24rem, 2fr) minmax(0, 3fr);
  }
  main:has(> tp-files[beside]) > :is(tp-lesson, tp-author) {
    display: none;
  }
  main.beside > tp-lesson {
    border-inline-end: 1px solid var(--line);
  }
  @media (max-width: 64rem) {
    main.beside {
      grid-template-columns: minmax(0, 1fr);
      grid-template-rows: minmax(0, 1fr);
    }
    main.beside.lesson > tp-terminal {
      display: none;
    }
    main.beside.console {
      grid-template-rows: auto minmax(0, 1fr);
    }
    main.beside.console > tp-lesson {
      height: auto;
      border-inline-end: 0;
    }
  }
  @media (max-width: 48rem) {
    :host {
      grid-template: auto auto minmax(0, 1fr) auto / minmax(0, 1fr);
      grid-template-areas: 'top' 'offer' 'main' 'rail';
    }
    nav {
      min-width: 0;
      padding: 0.25rem;
      border-inline-end: 0;
      border-block-start: 1px solid var(--line);
    }
    nav ul {
      grid-auto-flow: column;
      grid-auto-columns: 1fr;
    }
    nav a,
    nav button {
      min-width: 0;
      min-height: 2.75rem;
    }
    nav .narrow {
      display: block;
    }
    nav .wide {
      display: none;
    }
  }
  @media (max-height: 24rem) {
    main {
      overflow-y: auto;
    }
    main:not(.console) > :is(tp-lesson, tp-files) {
      min-height: 18rem;
    }
  }
`;
