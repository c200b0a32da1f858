import { expect, test } from 'vitest';
import table from '../../../test/facts/tables/selectors.json' with { type: 'json' };
import { formatFieldRequirements, matchesFields, parseFieldSelector, requiredValue } from './field-selector.ts';
import {
  formatLabelRequirements,
  type LabelSelector,
  labelSelectorRequirements,
  matchesLabels,
  parseLabelSelector,
  SelectorError,
} from './label-selector.ts';

interface Row {
  readonly in: string;
  readonly ok: boolean;
  readonly canonical: string;
  readonly err?: string;
  readonly requirements?: readonly unknown[];
  readonly matches?: readonly { readonly labels: Readonly<Record<string, string>>; readonly match: boolean }[];
}

test.each(table.label as readonly Row[])('labels: $in', (row) => {
  if (!row.ok) {
    expect(() => parseLabelSelector(row.in)).toThrow(new SelectorError(row.err ?? ''));
    return;
  }
  const requirements = parseLabelSelector(row.in);
  expect(formatLabelRequirements(requirements)).toBe(row.canonical);
  for (const { labels, match } of row.matches ?? []) expect(matchesLabels(requirements, labels)).toBe(match);
});

test.each(table.field as readonly Row[])('fields: $in', (row) => {
  if (!row.ok) {
    expect(() => parseFieldSelector(row.in)).toThrow(new SelectorError(row.err ?? ''));
    return;
  }
  const requirements = parseFieldSelector(row.in);
  expect(formatFieldRequirements(requirements)).toBe(row.canonical);
  for (const { labels, match } of row.matches ?? []) expect(matchesFields(requirements, (field) => labels[field] ?? '')).toBe(match);
});

interface SelectorRow extends Omit<Row, 'in'> {
  readonly selector: LabelSelector;
}

test.each(table.labelSelector as readonly SelectorRow[])('selector object $selector', (row) => {
  if (!row.ok) {
    expect(() => labelSelectorRequirements(row.selector)).toThrow(new SelectorError(row.err ?? ''));
    return;
  }
  const requirements = labelSelectorRequirements(row.selector);
  expect(formatLabelRequirements(requirements)).toBe(row.canonical);
  for (const { labels, match } of row.matches ?? []) expect(matchesLabels(requirements, labels)).toBe(match);
});

test('a selector matches own properties only', () => {
  expect(matchesLabels(parseLabelSelector('constructor'), {})).toBe(false);
});

test('returns the name that a field selector requires', () => {
  expect(requiredValue(parseFieldSelector('a!=b,metadata.name=x'), 'metadata.name')).toBe('x');
  expect(requiredValue(parseFieldSelector('metadata.name!=x'), 'metadata.name')).toBeUndefined();
});
