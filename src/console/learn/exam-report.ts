import type { ExamRun } from '../../tutorials/index.ts';

/** `12:05`, and hours before it where there are some. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

/** What came of an exam, as Markdown. */
export function examReport({ lesson, exam, state, points }: Pick<ExamRun, 'lesson' | 'exam' | 'state' | 'points'>): string {
  if (state?.endedMs === undefined) return '';
  const { startedMs, endsMs, endedMs, results } = state;
  const limit = endsMs === undefined ? 'without a limit' : `of ${clockText(endsMs - startedMs)}`;
  const rows = results.map(({ title, weight, passed, checks, missing }) => {
    const reached = checks === 0 ? weight : Math.round((10 * weight * passed) / checks) / 10;
    return `| ${cell(title)} | ${reached} of ${weight} | ${missing.map(cell).join(' ')} |`;
  });
  return [
    `# ${lesson.title}`,
    '',
    `**${points.passed ? 'Passed' : 'Not passed'}** with ${points.percent} % (${points.reached} of ${points.all} points; ${exam.pass} % are needed).`,
    '',
    `Begun ${new Date(startedMs).toISOString()}, handed in after ${clockText(endedMs - startedMs)} ${limit}.`,
    '',
    '| Task | Points | What is missing |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function cell(text: string): string {
  return text.replace(/[|\n]/g, ' ');
}
