import { contentAt, type Ledger, nameOf } from './ledger.ts';
import { require } from './world.ts';

interface Shown {
  readonly revision: number;
  readonly value: string;
}

interface ShownItem extends Shown {
  readonly name: string;
}

/** What readers were shown, each with the newest revision that anybody knew of when they asked: nothing older may be shown. */
export class Readings {
  readonly #checks: ((ledger: Ledger) => void)[] = [];

  get count(): number {
    return this.#checks.length;
  }

  present(key: string, shown: Shown, floor: number): void {
    this.#checks.push((ledger) => {
      const change = ledger.line.get(shown.revision);
      const isReal = change?.key === key && contentAt(change)?.value === shown.value;
      require(isReal, 'reads show what was written', () => `${key} was shown as ${JSON.stringify(shown)}`);
      const replaced = ledger.changes().find((later) => later.key === key && later.revision > shown.revision);
      require(replaced === undefined || replaced.revision > floor, 'reads are not older than what was acknowledged', () =>
        `${key} was shown at ${shown.revision} after ${replaced?.revision} and ${floor} were known`);
    });
  }

  absent(key: string, floor: number): void {
    this.#checks.push((ledger) => {
      const absences = ledger.changes().filter((change) => change.key === key);
      const wasThere = ledger.stateAt(floor).has(key);
      const wentLater = absences.some((change) => change.revision > floor && !change.entry);
      require(!wasThere || wentLater, 'reads are not older than what was acknowledged', () =>
        `${key} was not shown after ${floor} was known`);
    });
  }

  listed(items: readonly ShownItem[], revision: number, floor: number): void {
    this.#checks.push((ledger) => {
      require(revision >= floor, 'reads are not older than what was acknowledged', () => `a list at ${revision} after ${floor} was known`);
      const expected = [...ledger.stateAt(revision).values()].map((change) => ({
        name: nameOf(change),
        revision: change.revision,
        value: contentAt(change)?.value ?? '',
      }));
      expected.sort((a, b) => (a.name < b.name ? -1 : 1));
      require(JSON.stringify(items) === JSON.stringify(expected), 'a list is the state of one revision', () =>
        `at ${revision} ${JSON.stringify(items)} was shown instead of ${JSON.stringify(expected)}`);
    });
  }

  verify(ledger: Ledger): void {
    for (const check of this.#checks) check(ledger);
  }
}
