import { bytesToBase64, decodeUtf8, type JsonObject, setMember } from '../../../meta/index.ts';
import { builtInResource } from '../../api/discovery.ts';
import { bool } from '../../parse/flags.ts';
import { compactJson } from '../../printers/json.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { buildObject, completeCreation, createAndPrint, generatorFlags } from './create-object.ts';
import { contentHash, readKeySources, sourceFlags } from './key-sources.ts';

const resource = builtInResource('v1', 'configmaps', 'ConfigMap');

export const configMap: Command = {
  flags: { ...generatorFlags, ...sourceFlags, 'append-hash': bool() },
  run: async (call) => createAndPrint(call, { resource, object: await buildConfigMap(call), failure: 'failed to create configmap: ' }),
};

async function buildConfigMap(call: Call): Promise<JsonObject> {
  const name = await completeCreation(call);
  if (name === '') throw new KubectlError('name must be specified');
  const found = await readKeySources(call, name, 'ConfigMap');
  const data: Record<string, string> = {};
  const binaryData: Record<string, string> = {};
  for (const [key, content] of found) {
    const text = decodeUtf8(content);
    if (text === undefined) setMember(binaryData, key, bytesToBase64(content));
    else setMember(data, key, text);
  }
  const members = {
    ...(Object.keys(data).length > 0 ? { data } : {}),
    ...(Object.keys(binaryData).length > 0 ? { binaryData } : {}),
  };
  const hashed = call.flags.bool('append-hash')
    ? `-${await contentHash(compactJson({ data: {}, ...members, kind: 'ConfigMap', name }))}`
    : '';
  return buildObject(resource, { name: name + hashed }, members);
}
