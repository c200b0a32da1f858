/** The state of a list, stored in the history entry, to restore it after Back, Forward and a reload. */
export interface ViewState {
  readonly row: string;
  readonly top: number;
  readonly focused: boolean;
}

export function saveViewState(view: ViewState): void {
  history.replaceState({ ...(history.state as object | null), view }, '');
}

export function readViewState(): ViewState | undefined {
  const state: unknown = history.state;
  const view = typeof state === 'object' && state !== null && 'view' in state ? state.view : undefined;
  return typeof view === 'object' && view !== null && 'row' in view && 'top' in view ? (view as ViewState) : undefined;
}
