import { CborError, type Protobuf, parseYaml } from '../../codec/index.ts';
import {
  type ApiObject,
  invalid,
  invalidObject,
  isJsonObject,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  parseJson,
  StatusError,
} from '../../meta/index.ts';
import {
  type Deleted,
  type DeleteOptions,
  deleteNamespace,
  deleteObject,
  type ObjectRef,
  type StoredObject,
} from '../../registry/index.ts';
import { DecodeError } from '../../schema/index.ts';
import { admissionRequest } from '../admit.ts';
import { bodyBytes, bodyTypeOf, cborType } from '../body.ts';
import { type Answer, type Call, warn, writeContext } from '../call.ts';
import { readCborBody } from '../cbor-body.ts';
import { readListOptions } from '../list-options.ts';
import { checkDeleteOptions, readDeleteQuery } from '../options.ts';
import { unregistered } from '../read-object.ts';
import { refOf } from './get.ts';
import { selected } from './list.ts';
import { isUnsafe, removeUnread, unsafeOption } from './unsafe-delete.ts';

/** DELETE of an object (parts 2.8, 3.1). Cf. upstream handlers.DeleteResource. */
export async function remove(call: Call): Promise<Answer> {
  const { options, dryRun } = readOptions(call);
  if (isUnsafe(options)) return { form: 'object', status: 200, object: await removeUnread(call, refOf(call)) };
  const deleted = await deleteOne(call, refOf(call), options, dryRun);
  const status = !deleted.removed && options.orphanDependents === false ? 202 : 200;
  return { form: 'object', status, object: isObject(deleted.answer) ? call.kind.fromStorage(deleted.answer) : deleted.answer };
}

/** DELETE of a collection: each selected object by itself; the answer lists what was there. */
export async function removeCollection(call: Call): Promise<Answer> {
  const list = readListOptions(call.info.query, call.server);
  const { options, dryRun } = readOptions(call);
  if (isUnsafe(options)) {
    const why = 'is not allowed with DELETECOLLECTION, try again after removing the option';
    throw invalidObject({ group: call.server.product.names.metaGroup, name: 'DeleteOptions' }, '', [invalid(unsafeOption, true, why)]);
  }
  const listed = await selected(call, list);
  for (const stored of listed.items) await deleteListed(call, stored, options, dryRun);
  return { form: 'list', listed, kind: `${call.resource.kind}List` };
}

async function deleteListed(call: Call, { object }: StoredObject, options: DeleteOptions, dryRun: boolean): Promise<void> {
  const { name = '', namespace = '' } = object.metadata;
  try {
    await deleteOne(call, { resource: call.resource, namespace, name }, options, dryRun);
  } catch (error) {
    // Somebody else was faster.
    if (!(error instanceof StatusError) || error.reason !== 'NotFound') throw error;
  }
}

/** Deletes an object on behalf of a call, after what a deletion has to pass. */
export function deleteOne(call: Call, ref: ObjectRef, options: DeleteOptions, dryRun: boolean): Promise<Deleted> {
  const { server, kind } = call;
  const admission = admissionRequest(call, 'DELETE', ref.name, dryRun);
  const context = writeContext(call, dryRun);
  const input = {
    ref,
    options,
    strategy: kind.strategy,
    admit: (object: ApiObject) => server.admission.validate(admission, object, object),
  };
  for (const text of kind.strategy.deleteWarnings?.(options) ?? []) warn(call, text);
  const isNamespace = call.resource.group === '' && call.resource.name === 'namespaces';
  return isNamespace ? deleteNamespace(server.store, input, context) : deleteObject(server.store, input, context);
}

function isObject(answer: Deleted['answer']): answer is ApiObject {
  return answer.kind !== 'Status';
}

/** As they were sent. */
type AskedOptions = DeleteOptions & { readonly dryRun?: readonly string[] };

interface ReadOptions {
  readonly options: DeleteOptions;
  readonly dryRun: boolean;
}

/** Any body makes the query's options void. */
function readOptions(call: Call): ReadOptions {
  const bytes = bodyBytes(call.request);
  const asked = bytes.length > 0 ? fromBody(call, bytes) : readDeleteQuery(call.info.query);
  const options = call.server.featureGates.enabled('AllowUnsafeMalformedObjectDeletion') ? asked : withoutUnsafe(asked);
  const dryRun = checkDeleteOptions(options, call.server.product);
  return { options, dryRun };
}

function withoutUnsafe({ [unsafeOption]: _, ...options }: AskedOptions): AskedOptions {
  return options;
}

/** What cannot be read here is 500 in the real server. */
function fromBody(call: Call, bytes: Uint8Array): AskedOptions {
  const { server, request } = call;
  try {
    const mediaType = bodyTypeOf(request, server);
    const value = parsedOptions(bytes, mediaType, server.protobuf);
    if (!isJsonObject(value)) return {};
    const kind = value['kind'] ?? '';
    if (kind !== '' && kind !== 'DeleteOptions')
      throw new StatusError(500, '', unregistered(String(value['apiVersion'] ?? ''), String(kind)));
    return server.decode(server.catalog.type('meta/v1.DeleteOptions'), value) as JsonObject as DeleteOptions;
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new StatusError(500, '', `couldn't get version/kind; json parse error: ${error.message}`, undefined, error);
    if (error instanceof CborError)
      throw new StatusError(500, '', `unable to determine group/version/kind: ${error.message}`, undefined, error);
    if (error instanceof DecodeError) throw new StatusError(500, '', error.message, undefined, error);
    throw error;
  }
}

function parsedOptions(bytes: Uint8Array, mediaType: string, protobuf: Protobuf): Json {
  const text = (): string => new TextDecoder().decode(bytes);
  switch (mediaType) {
    case 'application/json':
      return parseJson(text()).value;
    case 'application/yaml':
      return parseYaml(text()).value;
    case cborType: {
      const { value, problem } = readCborBody(bytes);
      if (problem !== undefined) throw new StatusError(500, '', problem);
      return value;
    }
    default:
      return protobuf.decode(bytes);
  }
}
