import { msg } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ProductName } from '../../meta/index.ts';
import { resolvePath } from '../../shell/index.ts';
import { type ConsoleModel, sampleFiles } from '../model/console-model.ts';
import { homeDirectory } from '../model/identities.ts';
import { openStore, workspaceStore } from '../model/key-value-store.ts';
import { TabChannel } from '../model/tab-channel.ts';
import { openVirtualHome, type VirtualHome } from '../model/virtual-home.ts';
import { writeCopy } from '../model/write-copy.ts';
import { namesOfGroup } from '../share/manifest-names.ts';
import { sharedStyles } from '../shared-styles.ts';
import { filesIn } from './did-you-mean.ts';

/** The group in kubectl's error about a kind that the server does not have. */
const groupOfKind = /no matches for kind "[^"]+" in version "([^"/]+)/;
/** The type in its error about an argument, which omits the group: `roles` of `roles.rbac.authorization.svc`. */
const unknownType = /doesn't have a resource type "([^"]+)"/;

/** The API group names that a failed command was written for, if the cluster has others. */
export function otherNamesIn(output: string, line: string, names: ProductName): ProductName | undefined {
  const type = unknownType.exec(output)?.[1];
  const words = type === undefined ? [] : line.split(/[\s,/;]+/).filter((word) => word.startsWith(`${type}.`));
  const found = namesOfGroup(groupOfKind.exec(output)?.[1] ?? words[0] ?? '');
  return found === names ? undefined : found;
}

/** Offers to run a failed command in the cluster that has its API group names. Fires `run-elsewhere` with the cluster and the line. */
export class OtherNames extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    line: { attribute: false },
    names: { attribute: false },
  };
  declare model: ConsoleModel;
  declare line: string;
  declare names: ProductName;

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      p {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem 0.75rem;
        align-items: center;
        margin: 0;
        padding: 0 0.75rem 0.5rem;
        color: var(--muted);
        font-size: var(--small-size);
      }
    `,
  ];

  override render(): TemplateResult {
    const isKubernetes = this.names === 'kubernetes';
    return html`
      <p role="note">
        ${
          isKubernetes
            ? msg('This command uses the API group names of Kubernetes (k8s.io); this cluster has svc names.')
            : msg('This command uses svc names of API groups; this cluster has those of Kubernetes (k8s.io).')
        }
        <button class="button" @click=${this.#run}>${isKubernetes ? msg('Run it in the Kubernetes cluster') : msg('Run it in the svc cluster')}</button>
      </p>
    `;
  }

  readonly #run = async (): Promise<void> => {
    const cluster = this.names === this.model.hostNames ? '' : this.names;
    const line = await copyFiles(this.model, this.line, await openHome(cluster, this.names));
    this.dispatchEvent(new CustomEvent('run-elsewhere', { detail: { cluster, line }, bubbles: true, composed: true }));
  };
}

/** The home of a cluster that may be open in a tab, which is notified of the changes. */
async function openHome(cluster: string, names: ProductName): Promise<VirtualHome> {
  const tabs = new TabChannel(cluster);
  const store = workspaceStore(await openStore(), cluster);
  return openVirtualHome(
    store,
    () => sampleFiles(names),
    (change) => tabs.post({ kind: 'file', ...change }),
  );
}

/** Copies the files of a command, without overwriting others. Returns the command with the names of the copies. */
async function copyFiles({ home, shell }: ConsoleModel, line: string, target: VirtualHome): Promise<string> {
  const { directory } = shell.state;
  let changed = line;
  for (const file of filesIn(line)) {
    const path = resolvePath(directory, file);
    if (!home.paths().includes(path)) continue;
    const copy = await writeCopy(target, path, await home.readText(path));
    // A new console begins in the home directory.
    if (copy !== path || directory !== homeDirectory) changed = changed.replace(file, copy);
  }
  return changed;
}
