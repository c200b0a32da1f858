import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { Json } from '../../../meta/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import type { RequestRecord } from '../../model/request-log.ts';
import { formatTime } from '../../requests/requests-screen.ts';
import { routeTo } from '../../routes.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { diffStyles, diffView } from '../../views/diff-view.ts';
import { objectPath } from '../object-path.ts';
import { type ExplorePlace, linkToPlace } from '../place.ts';
import { changedManagers } from './managed-fields.ts';
import type { ObjectInformer, ObjectVersion } from './object-informer.ts';
import { omitVolatileFields } from './omit-fields.ts';
import { panelStyles } from './panel-styles.ts';

/** The versions of an object that the server retains or this page observed, newest first, with manager, time, request and changes. */
export class ObjectHistory extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    informer: { attribute: false },
    versions: { attribute: false },
    place: { attribute: false },
    print: { attribute: false },
    open: { state: true },
  };
  declare model: ConsoleModel;
  declare informer: ObjectInformer;
  declare versions: readonly ObjectVersion[];
  declare place: ExplorePlace;
  declare print: ((value: Json) => string) | undefined;
  /** The expanded revisions. */
  declare open: ReadonlySet<string>;

  static override styles: CSSResultGroup = [
    sharedStyles,
    panelStyles,
    diffStyles,
    css`
      ol {
        display: grid;
        gap: 0.375rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--surface);
      }
      .line {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem 0.75rem;
        align-items: center;
        padding: 0.25rem 0.5rem;
      }
      .diff {
        margin: 0;
        border-width: 1px 0 0;
        border-radius: 0;
      }
      .what {
        min-width: 4.5rem;
      }
    `,
  ];

  constructor() {
    super();
    this.open = new Set();
  }

  override render(): TemplateResult {
    const { oldestRevision } = this.informer;
    const newest = [...this.versions].reverse();
    return html`
      <p class="note">
        ${oldestRevision === '' ? msg('Versions since this page was opened.') : msg(str`History is available since revision ${oldestRevision}. New versions are added as they arrive.`)}
      </p>
      <ol>
        ${newest.map((version, at) => this.#version(version, newest[at + 1]))}
      </ol>
    `;
  }

  #version(version: ObjectVersion, before: ObjectVersion | undefined): TemplateResult {
    const { revision, change, observedMs } = version;
    const open = this.open.has(revision);
    const cause = this.#cause(revision);
    return html`
      <li>
        <div class="line">
          <button class="quiet" aria-expanded=${open ? 'true' : 'false'} @click=${() => this.#toggle(revision)}>${open ? '▾' : '▸'} ${msg(str`rev ${revision}`)}</button>
          <span class="what">${changeText(change, before === undefined)}</span>
          <span translate="no">${changedManagers(before?.object ?? {}, version.object)}</span>
          ${observedMs === undefined ? nothing : html`<span class="note">${formatTime(observedMs)}</span>`}
          ${cause === undefined ? nothing : html`<a class="chip" translate="no" href=${routeTo('requests', cause.id)}>${cause.method} ${cause.status} ${cause.user}</a>`}
          <a class="note" href=${linkToPlace({ ...this.place, query: { tab: 'diff', left: revision } })}>${msg('compare with now')}</a>
        </div>
        ${open ? this.#changes(version, before) : nothing}
      </li>
    `;
  }

  #changes({ object, revision }: ObjectVersion, before: ObjectVersion | undefined): TemplateResult {
    const { print } = this;
    if (print === undefined) return html`<p role="status">${msg('Loading…')}</p>`;
    const old = before === undefined ? '' : print(omitVolatileFields(before.object));
    return diffView(old, print(omitVolatileFields(object)), msg(str`Changes of revision ${revision}`));
  }

  /** The request whose response had this revision. */
  #cause(revision: string): RequestRecord | undefined {
    const path = objectPath({ ...this.place, name: '' });
    return this.model.requests.records.find(({ method, target, responseBody, stages }) => {
      if (method === 'GET' || !target.startsWith(path)) return false;
      return (
        responseBody.includes(`"resourceVersion":"${revision}"`) ||
        stages.some(({ stage, detail }) => stage === 'store' && detail === `rev ${revision}`)
      );
    });
  }

  #toggle(revision: string): void {
    const open = new Set(this.open);
    if (!open.delete(revision)) open.add(revision);
    this.open = open;
  }
}

/** The name of a change. The oldest available version may not be the creation. */
function changeText(change: ObjectVersion['change'], oldest: boolean): string {
  if (change === 'DELETED') return msg('deleted', { desc: 'of an object' });
  if (change === 'MODIFIED') return msg('changed', { desc: 'of an object' });
  return oldest ? msg('state', { desc: 'the oldest known of an object' }) : msg('created', { desc: 'of an object' });
}
