/**
 * Scores how well `text` matches the typed letters in order: higher when they are adjacent and begin words. Undefined without a match.
 * `dpl` matches `deployments`; `shop web` matches `web` in `shop`, since words match in any order.
 */
export function fuzzyScore(typed: string, text: string): number | undefined {
  const lower = text.toLowerCase();
  let score = 0;
  for (const word of typed.toLowerCase().split(/\s+/)) {
    if (word === '') continue;
    const one = wordScore(word, lower);
    if (one === undefined) return undefined;
    score += one;
  }
  return score - text.length / 1_000;
}

function wordScore(word: string, text: string): number | undefined {
  const whole = text.indexOf(word);
  if (whole >= 0) return 100 + (whole === 0 ? 50 : beginsWord(text, whole) ? 30 : 0);
  let score = 0;
  let at = -1;
  for (const letter of word) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return undefined;
    score += next === at + 1 ? 3 : beginsWord(text, next) ? 5 : -Math.min(3, next - at - 1);
    at = next;
  }
  return score;
}

function beginsWord(text: string, at: number): boolean {
  return at === 0 || !/[a-z0-9]/.test(text[at - 1] ?? '');
}
