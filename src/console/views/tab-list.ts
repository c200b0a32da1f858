import { type CSSResult, css, html, type TemplateResult } from 'lit';

export interface TabListOptions<Tab extends string> {
  readonly label: string;
  readonly tabs: readonly (readonly [tab: Tab, name: string])[];
  readonly chosen: Tab;
  readonly choose: (tab: Tab) => void;
}

/** Tabs of the panel with the id `panel`. Arrow keys move between them. */
export function tabList<Tab extends string>({ label, tabs, chosen, choose }: TabListOptions<Tab>): TemplateResult {
  const key = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const at = tabs.findIndex(([tab]) => tab === chosen);
    const next = tabs[(at + step + tabs.length) % tabs.length]?.[0];
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
    const list = event.currentTarget as HTMLElement;
    list.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return html`
    <div class="tabs" role="tablist" aria-label=${label} @keydown=${key}>
      ${tabs.map(
        ([tab, name]) => html`
          <button
            role="tab"
            id="tab-${tab}"
            aria-selected=${tab === chosen ? 'true' : 'false'}
            aria-controls="panel"
            tabindex=${tab === chosen ? 0 : -1}
            @click=${() => choose(tab)}
          >
            ${name}
          </button>
        `,
      )}
    </div>
  `;
}

export const tabStyles: CSSResult = css`
  .tabs {
    display: flex;
    gap: 0.25rem;
    overflow-x: auto;
  }
  [role='tab'] {
    flex: none;
    min-height: 2rem;
    padding: 0 0.625rem;
    border: 0;
    border-block-end: 2px solid transparent;
    background: none;
    color: var(--muted);
  }
  [role='tab'][aria-selected='true'] {
    border-color: var(--accent);
    color: var(--text);
    font-weight: 600;
  }
  [role='tab']:focus-visible {
    outline-offset: -2px;
  }
  @media (forced-colors: active) {
    [role='tab'] {
      border-color: Canvas;
    }
  }
  @media (pointer: coarse) {
    [role='tab'] {
      min-height: 2.75rem;
    }
  }
`;
