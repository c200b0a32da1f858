import { html, type SVGTemplateResult, svg, type TemplateResult } from 'lit';
import type { Screen } from '../routes.ts';

const paths: Readonly<Partial<Record<Screen, SVGTemplateResult>>> = {
  console: svg`<rect x="2.5" y="4" width="19" height="16" rx="2.5"/><path d="m6.5 9 3 3-3 3M12.5 15.5h5"/>`,
  requests: svg`<path d="M3.5 8h14m0 0-3.5-3.5M17.5 8 14 11.5M20.5 16h-14m0 0 3.5-3.5M6.5 16l3.5 3.5"/>`,
  explore: svg`<path d="M4 4.5h5v4H4zM15 9.5h5v4h-5zM15 16h5v4h-5zM6.5 8.5V18H15M6.5 11.5H15"/>`,
  access: svg`<path d="M12 3.5 5 6v5.5c0 4.5 3 7.5 7 9 4-1.5 7-4.5 7-9V6z"/><path d="m9 12 2.2 2.2L15.2 10"/>`,
  clusters: svg`<path d="M12 3.5 20 8l-8 4.5L4 8zM4 12l8 4.5 8-4.5M4 16l8 4.5 8-4.5"/>`,
  learn: svg`<path d="M12 6.5C10 5 7 4.5 3.5 4.5v14c3.5 0 6.5.5 8.5 2 2-1.5 5-2 8.5-2v-14C17 4.5 14 5 12 6.5zM12 6.5v14"/>`,
  files: svg`<path d="M3.5 6.5a2 2 0 0 1 2-2h4l2 2.5h7a2 2 0 0 1 2 2v8.5a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2z"/>`,
  settings: svg`<path d="M4 7h9m4 0h3M4 17h3m4 0h9"/><circle cx="15" cy="7" r="2"/><circle cx="9" cy="17" r="2"/>`,
};

export function screenIcon(screen: Screen): TemplateResult {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true">${paths[screen]}</svg>`;
}

export const moreIcon: TemplateResult = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 12h.01M12 12h.01M19 12h.01" stroke-width="3" /></svg>`;

export const findIcon: TemplateResult = html`<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="10.5" cy="10.5" r="6" /><path d="m15 15 5 5" /></svg>`;
