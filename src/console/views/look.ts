/** Display preferences, set as `data-…` of the document element for the style sheet. The first value is the default. */
export const preferences = {
  theme: ['auto', 'light', 'dark', 'contrast'],
  size: ['normal', 'large', 'larger'],
  motion: ['auto', 'reduced'],
  hints: ['on', 'off'],
  announcements: ['on', 'off'],
} as const;
export type Preference = keyof typeof preferences;
export type PreferenceValue = (typeof preferences)[Preference][number];

const names = Object.keys(preferences) as readonly Preference[];

export function readPreference(look: Preference): string {
  try {
    const stored = localStorage.getItem(`tabplane-${look}`);
    return preferences[look].find((choice) => choice === stored) ?? preferences[look][0];
  } catch {
    // Sandboxes block localStorage.
    return preferences[look][0];
  }
}

export function setPreference(look: Preference, choice: string): void {
  applyPreference(look, choice);
  try {
    localStorage.setItem(`tabplane-${look}`, choice);
  } catch {
    // The value then lasts as long as the page.
  }
}

/** Reads the document element, so that it works without localStorage. */
export function isDisabled(look: Preference): boolean {
  return document.documentElement.dataset[look] === 'off';
}

export function applyPreferences(): void {
  for (const look of names) applyPreference(look, readPreference(look));
}

function applyPreference(look: Preference, choice: string): void {
  const { dataset } = document.documentElement;
  if (choice === preferences[look][0]) delete dataset[look];
  else dataset[look] = choice;
}
