import type { SimulatedKind } from './kinds.ts';
import type { WriteRequest } from './write-request.ts';

/** A write of a client with its outcome. */
export interface WriteRecord {
  readonly write: WriteRequest;
  /** The newest established revision when it was first sent. */
  readonly from: number;
  /** The newest revision when it was answered; undefined: the outcome is not known. */
  to: number | undefined;
  outcome: 'unknown' | 'acknowledged' | 'refused';
}

/** A deletion of all objects of a kind, or of those with a label. */
export interface CollectionDeletion {
  readonly kind: SimulatedKind;
  readonly side: string | undefined;
  readonly isDryRun: boolean;
  readonly from: number;
  to: number | undefined;
}

/** Every write that clients have requested. */
export class WriteLog {
  readonly records: WriteRecord[] = [];
  readonly collectionDeletions: CollectionDeletion[] = [];
  /** Objects by uid with the write whose response reported their deletion. */
  readonly deletedBy = new Map<string, WriteRecord>();

  begin(write: WriteRequest, from: number): WriteRecord {
    const record: WriteRecord = { write, from, to: undefined, outcome: 'unknown' };
    this.records.push(record);
    return record;
  }

  beginCollection(deletion: Omit<CollectionDeletion, 'to'>): CollectionDeletion {
    const begun = { ...deletion, to: undefined };
    this.collectionDeletions.push(begun);
    return begun;
  }
}
