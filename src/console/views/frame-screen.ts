import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { isLessonRoute, type LessonPlace } from '../routes.ts';
import type { ConsoleApp } from './console-app.ts';

/** The element of the frame's route, with the cluster of the frame. Nothing for the console, whose terminals are part of the frame. */
export function frameScreen(app: ConsoleApp): TemplateResult | typeof nothing {
  const { route, opening, model } = app;
  if (opening !== undefined && !isLessonRoute(route)) return html`<tp-way-on .cluster=${opening}></tp-way-on>`;
  const screen = screenOf(app);
  // A new element for each cluster, since screens hold what they have read, except for those that open clusters.
  const isSame = isLessonRoute(route) || route.screen === 'clusters' || route.screen === 's';
  return screen === nothing ? nothing : html`${keyed(isSame ? '' : model.workspace.id, screen)}`;
}

function screenOf(app: ConsoleApp): TemplateResult | typeof nothing {
  const { route, model, options } = app;
  switch (route.screen) {
    case 'console':
      return nothing;
    case 'explore':
      return html`<tp-explore .model=${model} .place=${route.place}></tp-explore>`;
    case 'access':
      return html`<tp-access .model=${model} .view=${route.view} .query=${route.query}></tp-access>`;
    case 'requests':
      return html`<tp-requests .model=${model} .chosen=${route.id}></tp-requests>`;
    case 'learn':
      return route.lesson === undefined ? html`<tp-learn .model=${model}></tp-learn>` : lessonScreen(app, route.lesson);
    case 'author':
      return withEditor(app, html`<tp-author .options=${options}></tp-author>`);
    case 'clusters':
      return html`<tp-clusters .model=${model} .options=${options}></tp-clusters>`;
    case 's':
      return html`<tp-shared .payload=${route.payload} .options=${options}></tp-shared>`;
    case 'files':
      return html`<tp-files .model=${model} .path=${route.path}></tp-files>`;
    case 'settings':
      return html`<tp-settings .model=${model} .release=${options.release}></tp-settings>`;
    case 'unknown':
      return html`<tp-way-on .path=${route.path}></tp-way-on>`;
    default:
      return route satisfies never;
  }
}

/** A lesson with the default names is the one without names. */
function lessonScreen(app: ConsoleApp, { names, ...place }: LessonPlace): TemplateResult {
  const { options, models } = app;
  const named = names === undefined || names === options.names ? place : { ...place, names };
  return withEditor(app, html`<tp-lesson .place=${named} .options=${options} .models=${models}></tp-lesson>`);
}

/** The editor replaces the text of a lesson while a command waits for it. */
function withEditor({ lesson }: ConsoleApp, screen: TemplateResult): TemplateResult {
  const path = lesson?.editing?.path;
  return html`${screen}${path === undefined ? nothing : html`<tp-files beside .model=${lesson} .path=${path}></tp-files>`}`;
}
