import { msg, str } from '@lit/localize';
import type { ExamRun } from '../../tutorials/index.ts';

/** `12:05`, with hours if there are any. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

/** The result of an exam as Markdown. */
export function examReport({ lesson, exam, state, points }: Pick<ExamRun, 'lesson' | 'exam' | 'state' | 'points'>): string {
  if (state?.endedMs === undefined) return '';
  const { startedMs, endsMs, endedMs, results } = state;
  const rows = results.map(({ title, weight, passed, checks, missing }) => {
    const reached = checks === 0 ? weight : Math.round((10 * weight * passed) / checks) / 10;
    return `| ${cell(title)} | ${msg(str`${reached} of ${weight}`)} | ${missing.map(cell).join(' ')} |`;
  });
  return [
    `# ${lesson.title}`,
    '',
    outcomeText(points, exam.pass),
    '',
    timeText(startedMs, endedMs, endsMs),
    '',
    `| ${msg('Task')} | ${msg('Points')} | ${msg('Missing')} |`,
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function outcomeText({ passed, percent, reached, all }: ExamRun['points'], needed: number): string {
  return passed
    ? msg(str`**Passed** with ${percent} % (${reached} of ${all} points; ${needed} % required).`)
    : msg(str`**Not passed** with ${percent} % (${reached} of ${all} points; ${needed} % required).`);
}

function timeText(startedMs: number, endedMs: number, endsMs: number | undefined): string {
  const begun = new Date(startedMs).toISOString();
  const taken = clockText(endedMs - startedMs);
  if (endsMs === undefined) return msg(str`Started ${begun}, submitted after ${taken}, no time limit.`);
  const limit = clockText(endsMs - startedMs);
  return msg(str`Started ${begun}, submitted after ${taken} of ${limit}.`);
}

function cell(text: string): string {
  return text.replace(/[|\n]/g, ' ');
}
