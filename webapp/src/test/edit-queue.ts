/** For tests of the edit queue: a cache that records its calls, and a server with predefined responses. */
import { ApiError } from '@/api/errors';
import type { Annotation } from '@/api/resources/annotations';
import { EditQueue } from '@/labelling-sync/edit-queue';
import type { EditAnswer, LabellingEdit } from '@/labelling-sync/edits/types';
import type { MemoryOutbox } from '@/labelling-sync/outbox';

export const OWNER = { user: 'marie', tab: 'one' };
export const NO_RESPONSE = new ApiError(0, null, 'no answer');

type Call = readonly [name: string, ...values: unknown[]];

/** A cache that records its calls. */
export class RecordingCache {
  readonly calls: Call[] = [];
  private readonly recorder =
    (name: string) =>
    (...values: unknown[]) =>
      void this.calls.push([name, ...values]);
  storeAnnotation = this.recorder('storeAnnotation');
  dropAnnotation = this.recorder('dropAnnotation');
  findAnnotation = () => undefined;
  storeCategory = this.recorder('storeCategory');
  dropCategory = this.recorder('dropCategory');
  storeRelation = this.recorder('storeRelation');
  dropRelation = this.recorder('dropRelation');
  findRelation = () => undefined;
}

/** The server's response to each edit, in order; the edits as they were sent. */
export const answers: (EditAnswer | ApiError)[] = [];
export const sent: LabellingEdit[] = [];
export const sendToFakeServer = (_project: string, edit: LabellingEdit): Promise<EditAnswer> => {
  sent.push(edit);
  const answer = answers.shift();
  return answer instanceof ApiError ? Promise.reject(answer) : Promise.resolve(answer);
};

export const makeEditQueue = (cache: RecordingCache, outbox: MemoryOutbox) =>
  new EditQueue('p', cache as never, outbox, OWNER, sendToFakeServer);

let lastKey = 0;

/** An edit with a key of its own, on annotation 7 unless `more` says otherwise. */
export function makeEdit(kind: LabellingEdit['kind'], more: object = {}): LabellingEdit {
  const patch = kind === 'change' || kind === 'changeLink' ? { patch: {} } : {};
  const key = `key-${String((lastKey += 1))}`;
  return { kind, id: '7', documentIdentifier: 'd', idempotencyKey: key, state: 'saving', ...patch, ...more } as LabellingEdit;
}

export const annotation = (version: number, more: Partial<Annotation> = {}): Annotation => ({
  identifier: '7',
  labelName: 'place',
  start: 0,
  end: 3,
  version,
  ...more,
});
