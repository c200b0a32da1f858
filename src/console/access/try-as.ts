import { msg } from '@lit/localize';
import { loadYamlPrinter, readYaml, setEntry } from '../../kubectl/index.ts';
import { isJsonObject, type JsonObject } from '../../meta/index.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { kubeconfigPath, tryContext } from '../model/identities.ts';

/** The identity to use: an impersonated user, or the user of a token. */
export type ImpersonationTarget = { readonly user: string; readonly groups: readonly string[] } | { readonly token: string };

/** Switches to another identity through a separate kubeconfig context, which all screens use. */
export async function tryAs(model: ConsoleModel, target: ImpersonationTarget): Promise<void> {
  const { token } = model.context.credentials;
  const user: JsonObject = 'token' in target ? { token: target.token } : impersonation(token, target);
  await changeConfig(model, (config) => {
    const context = { cluster: 'local', namespace: model.context.namespace, user: tryContext };
    const before = model.context.name === tryContext ? undefined : model.context.name;
    const named = setEntry(setEntry(config, 'users', tryContext, user), 'contexts', tryContext, context);
    if (before !== undefined) void model.store.set(beforeKey, before);
    return { ...named, 'current-context': tryContext };
  });
}

/** Switches back to the previous context. */
export async function endTryAs(model: ConsoleModel): Promise<void> {
  const before = await model.store.get(beforeKey);
  await changeConfig(model, (config) => ({
    ...setEntry(setEntry(config, 'users', tryContext, undefined), 'contexts', tryContext, undefined),
    'current-context': typeof before === 'string' ? before : 'admin',
  }));
}

const beforeKey = 'before-try-as';

function impersonation(token: string, { user, groups }: { readonly user: string; readonly groups: readonly string[] }): JsonObject {
  return { ...(token === '' ? {} : { token }), as: user, ...(groups.length === 0 ? {} : { 'as-groups': [...groups] }) };
}

async function changeConfig(model: ConsoleModel, change: (config: JsonObject) => JsonObject): Promise<void> {
  const config = await readYaml(await model.home.readText(kubeconfigPath));
  if (!isJsonObject(config)) throw new Error(msg('The kubeconfig cannot be read.'));
  const print = await loadYamlPrinter();
  await model.home.writeText(kubeconfigPath, print(change(config)));
}
