/** For tests of the queue of acts: a cache that writes down what it is told, and a server that answers as it is told to. */
import { ApiError } from '@/api/errors';
import type { Annotation } from '@/api/resources/annotations';
import { ActQueue } from '@/annotation/connected/act-queue';
import type { LabellingEdit } from '@/annotation/connected/edits';
import type { MemoryOutbox } from '@/annotation/connected/outbox';
import type { Answer } from '@/annotation/connected/send-act';

export const OWNER = { user: 'marie', tab: 'one' };
export const AWAY = new ApiError(0, null, 'no answer');

type Call = readonly [name: string, ...values: unknown[]];

/** A cache that writes down what it is told. */
export class ToldCache {
  readonly told: Call[] = [];
  private readonly tell =
    (name: string) =>
    (...values: unknown[]) =>
      void this.told.push([name, ...values]);
  storeAnnotation = this.tell('storeAnnotation');
  dropAnnotation = this.tell('dropAnnotation');
  findAnnotation = () => undefined;
  storeCategory = this.tell('storeCategory');
  dropCategory = this.tell('dropCategory');
  storeRelation = this.tell('storeRelation');
  dropRelation = this.tell('dropRelation');
  findRelation = () => undefined;
}

/** What the server says to each act, in order; the acts as they were sent. */
export const answers: (Answer | ApiError)[] = [];
export const sent: LabellingEdit[] = [];
export const send = (_project: string, edit: LabellingEdit): Promise<Answer> => {
  sent.push(edit);
  const answer = answers.shift();
  return answer instanceof ApiError ? Promise.reject(answer) : Promise.resolve(answer);
};

export const queueOf = (cache: ToldCache, outbox: MemoryOutbox) => new ActQueue('p', cache as never, outbox, OWNER, send);

let made = 0;

/** An act with a key of its own, on annotation 7 unless `more` says otherwise. */
export function act(kind: LabellingEdit['kind'], more: object = {}): LabellingEdit {
  const patch = kind === 'change' || kind === 'changeLink' ? { patch: {} } : {};
  const key = `key-${String((made += 1))}`;
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
