/** Display preferences, set as `data-…` of the document element for the style sheet. The first value is the default. */
export const preferences = {
  theme: ['auto', 'light', 'dark', 'contrast'],
  size: ['normal', 'large', 'larger'],
  motion: ['auto', 'reduced'],
  hints: ['on', 'off'],
  announcements: ['on', 'off'],
  /** Whether the controllers, the scheduler and the nodes run (hosts/page/run-components.ts). */
  nodes: ['on', 'off'],
} as const;
export type Preference = keyof typeof preferences;
export type PreferenceValue = (typeof preferences)[Preference][number];

const names = Object.keys(preferences) as readonly Preference[];

export function readPreference(name: Preference): string {
  try {
    const stored = localStorage.getItem(`tabplane-${name}`);
    return preferences[name].find((choice) => choice === stored) ?? preferences[name][0];
  } catch {
    // Sandboxes block localStorage.
    return preferences[name][0];
  }
}

export function setPreference(name: Preference, choice: string): void {
  applyPreference(name, choice);
  try {
    localStorage.setItem(`tabplane-${name}`, choice);
  } catch {
    // The value then lasts as long as the page.
  }
}

/** Reads the document element, so that it works without localStorage. */
export function isDisabled(name: Preference): boolean {
  return document.documentElement.dataset[name] === 'off';
}

export function applyPreferences(): void {
  for (const name of names) applyPreference(name, readPreference(name));
}

function applyPreference(name: Preference, choice: string): void {
  const { dataset } = document.documentElement;
  if (choice === preferences[name][0]) delete dataset[name];
  else dataset[name] = choice;
}
