import { msg, str } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import type { Product } from '../../meta/index.ts';
import { linkToPlace } from '../explore/place.ts';
import { type Binding, bindingText, type Grant, type Role, type RoleSubject } from './rbac.ts';

export interface SubjectGrant {
  readonly subject: RoleSubject;
  /** Undefined for members of `system:masters`. */
  readonly grant: Grant | undefined;
}

/** The subjects with access, with binding, role and rule as links. */
export function grantsTable(grants: readonly SubjectGrant[], product: Product): TemplateResult {
  return html`
    <div class="scroller">
      <table aria-label=${msg('Subjects with access')}>
        <thead>
          <tr><th scope="col">${msg('Subject', { desc: 'with access' })}</th><th scope="col">${msg('Binding')}</th><th scope="col">${msg('Role')}</th><th scope="col">${msg('Rule')}</th></tr>
        </thead>
        <tbody>
          ${grants.map(
            ({ subject, grant }) => html`<tr>
              <td translate="no">${subject.kind} <span class="mono">${subject.namespace === '' ? '' : `${subject.namespace}/`}${subject.name}</span></td>
              ${grant === undefined ? html`<td colspan="3">${msg('built in: this group has full access')}</td>` : pathCells(grant, product)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  `;
}

function pathCells({ binding, role, rule, at, from }: Grant, product: Product): TemplateResult {
  return html`
    <td translate="no"><a href=${bindingLink(binding, product)}>${bindingText(binding)}</a></td>
    <td>
      <a translate="no" href=${roleLink(role, product)}>${role.namespace === '' ? 'ClusterRole' : 'Role'} ${role.name}</a>
      ${from === undefined ? '' : html`<span class="note">${aggregationNote(from, product)}</span>`}
    </td>
    <td><span class="note">${msg(str`rule ${at}:`, { desc: 'the number of a rule in its role' })}</span> <span class="mono">${rule.verbs.join(', ')} · ${rule.resources.join(', ')}${rule.resourceNames.length === 0 ? '' : ` · ${rule.resourceNames.join(', ')}`}</span></td>
  `;
}

function aggregationNote(role: Role, product: Product): TemplateResult {
  const { name } = role;
  const link = roleLink(role, product);
  return msg(html`aggregated from <a href=${link}>${name}</a>`);
}

function bindingLink({ namespace, name }: Binding, product: Product): string {
  const resource = namespace === '' ? 'clusterrolebindings' : 'rolebindings';
  return linkToPlace({ group: product.rename('rbac.authorization.k8s.io'), version: 'v1', resource, namespace, name });
}

function roleLink({ namespace, name }: Role, product: Product): string {
  const resource = namespace === '' ? 'clusterroles' : 'roles';
  return linkToPlace({ group: product.rename('rbac.authorization.k8s.io'), version: 'v1', resource, namespace, name });
}
