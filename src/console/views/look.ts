/** How the page looks, by the user's choice: what the style sheet has as `data-…` of the page. The first of each is what is so without a choice. */
export const looks = {
  theme: ['auto', 'light', 'dark', 'contrast'],
  size: ['normal', 'large', 'larger'],
  motion: ['auto', 'reduced'],
  hints: ['on', 'off'],
  announcements: ['on', 'off'],
} as const;
export type Look = keyof typeof looks;
export type LookChoice = (typeof looks)[Look][number];

const names = Object.keys(looks) as readonly Look[];

export function keptLook(look: Look): string {
  try {
    const kept = localStorage.getItem(`tabplane-${look}`);
    return looks[look].find((choice) => choice === kept) ?? looks[look][0];
  } catch {
    // Storage is refused in sandboxes.
    return looks[look][0];
  }
}

export function chooseLook(look: Look, choice: string): void {
  show(look, choice);
  try {
    localStorage.setItem(`tabplane-${look}`, choice);
  } catch {
    // As above: the choice then lasts as long as the page.
  }
}

/** Also where no choice can be kept. */
export function isOff(look: Look): boolean {
  return document.documentElement.dataset[look] === 'off';
}

export function showKeptLooks(): void {
  for (const look of names) show(look, keptLook(look));
}

function show(look: Look, choice: string): void {
  const { dataset } = document.documentElement;
  if (choice === looks[look][0]) delete dataset[look];
  else dataset[look] = choice;
}
