import { type BarMessageName, barMessages, type Translate as TranslateName, translateFor } from '../element/index.ts';

const english = {
  stop: 'Stop',
  reset: 'Reset',
  playground: 'Open in the playground',
  code: 'Code of example {0}',
  editorHint: 'Ctrl+Enter runs the example.',
  output: 'Output',
  noOutput: '(no output)',
  starting: 'Starting the cluster…',
  running: 'Running…',
  finished: 'Finished',
  failed: 'Exit code {0}',
  asExpected: 'The result is as documented',
  notAsExpected: 'Not as documented: {0}',
  stopped: 'Stopped',
  resetDone: 'The cluster and its examples are reset',
  changes: 'Changed objects: {0}',
  created: 'created',
  updated: 'updated',
  deleted: 'deleted',
  absent: '(absent)',
  requests: 'Requests: {0}',
  request: 'Request',
  user: 'User',
  status: 'Status',
  tooLong: 'The cluster is too large for a link. Copy the commands into the playground instead.',
} as const;

export type MessageName = BarMessageName | keyof typeof english;

const german: Readonly<Record<keyof typeof english, string>> = {
  stop: 'Anhalten',
  reset: 'Zurücksetzen',
  playground: 'Im Playground öffnen',
  code: 'Code von Beispiel {0}',
  editorHint: 'Strg+Enter führt das Beispiel aus.',
  output: 'Ausgabe',
  noOutput: '(keine Ausgabe)',
  starting: 'Der Cluster startet …',
  running: 'Läuft …',
  finished: 'Fertig',
  failed: 'Exit-Code {0}',
  asExpected: 'Das Ergebnis ist wie dokumentiert',
  notAsExpected: 'Nicht wie dokumentiert: {0}',
  stopped: 'Angehalten',
  resetDone: 'Der Cluster und seine Beispiele sind zurückgesetzt',
  changes: 'Geänderte Objekte: {0}',
  created: 'angelegt',
  updated: 'geändert',
  deleted: 'gelöscht',
  absent: '(fehlt)',
  requests: 'Anfragen: {0}',
  request: 'Anfrage',
  user: 'Benutzer',
  status: 'Status',
  tooLong: 'Der Cluster ist zu groß für einen Link. Kopieren Sie stattdessen die Befehle in den Playground.',
};

/** Translates the texts of an element. */
export type Translate = TranslateName<MessageName>;

export const translateOf = (element: Element): Translate =>
  translateFor(element, { ...barMessages.english, ...english }, { ...barMessages.german, ...german });
