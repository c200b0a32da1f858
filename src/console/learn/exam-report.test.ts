import { expect, test } from 'vitest';
import { clockText, examReport } from './exam-report.ts';

test('formats a time in minutes and seconds, with hours if there are any', () => {
  expect([0, 61_000, 3_661_000, 59_001].map(clockText)).toEqual(['0:00', '1:01', '1:01:01', '1:00']);
});

test('a report has the points, the time, and the missing checks', () => {
  const lesson = { title: 'Exam' } as Parameters<typeof examReport>[0]['lesson'];
  const results = [{ title: 'A | B', weight: 3, passed: 1, checks: 2, missing: ['no b'] }];
  const report = examReport({
    lesson,
    exam: { minutes: 10, pass: 66, weights: {} },
    state: { startedMs: 0, endsMs: 600_000, endedMs: 90_000, results },
    points: { reached: 1.5, all: 3, percent: 50, passed: false },
  });
  expect(report).toContain('**Not passed** with 50 % (1.5 of 3 points; 66 % required).');
  expect(report).toContain('Started 1970-01-01T00:00:00.000Z, submitted after 1:30 of 10:00.');
  expect(report).toContain('| A   B | 1.5 of 3 | no b |');
});
