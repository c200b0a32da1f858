import type { Lesson, Part } from '../../tutorials/index.ts';

/** A slow rate, for learners. */
const wordsPerMinute = 150;
const minutesPerCommand = 0.5;
/** Time to find a solution. */
const minutesPerSolution = 1.5;

/** The number of words of a lesson and the estimated time. */
export function estimateReadingTime({ intro, steps }: Lesson): { readonly words: number; readonly minutes: number } {
  const parts = [...intro, ...steps.flatMap((step) => step.parts)];
  const words = parts.reduce((sum, part) => sum + countWords(part), 0);
  const commands = parts.filter(({ kind }) => kind === 'command').length;
  const solutions = steps.filter(({ solution }) => solution !== undefined).length;
  return {
    words,
    minutes: Math.max(1, Math.round(words / wordsPerMinute + commands * minutesPerCommand + solutions * minutesPerSolution)),
  };
}

function countWords(part: Part): number {
  if (part.kind !== 'prose') return 0;
  return part.html
    .replace(/<[^>]*>/g, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
