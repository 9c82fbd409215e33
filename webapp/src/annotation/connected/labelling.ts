/** What a screen does with annotations and categories: each act is painted at once and joins the queue; undone here. */
import i18next from 'i18next';
import { notifyFailure } from '@/api/errors';
import { newKey } from '@/api/idempotency';
import type { Annotation, AnnotationPatch } from '@/api/resources/annotations';
import type { Category, NewCategory } from '@/api/resources/categories';
import { notify, useNotificationsStore } from '@/state/notifications-store';
import type { NewApiAnnotation } from '../wire';
import type { ActQueue, QueueListener } from './act-queue';
import { isLocal, localId, type CategoryChangeEdit, type ChangeEdit, type LabellingEdit, type RemoveEdit } from './edits';

export { isLocal } from './edits';

const MAX_UNDO = 100;
/** Of the error catalogue. */
const TITLES: Readonly<Record<LabellingEdit['kind'], string>> = {
  create: 'createAnnotation',
  change: 'changeAnnotation',
  remove: 'deleteAnnotation',
  restore: 'createAnnotation',
  category: 'createCategory',
  decideCategory: 'createCategory',
  dropCategory: 'deleteCategory',
};

const text = (key: string, values?: Record<string, string>) => i18next.t(`labelling:${key}`, values ?? {});

export class Labelling {
  private readonly undoable: (() => void)[] = [];

  constructor(
    private readonly queue: ActQueue,
    private readonly onNamed: (from: string, to: string) => void,
  ) {}

  get project(): string {
    return this.queue.project;
  }

  /** Hears what became of the acts; returns the function that stops hearing. */
  connect(): () => void {
    const listener: QueueListener = {
      onNamed: this.onNamed,
      onDone: (edit, answer) => this.done(edit, answer),
      onRefused: ({ kind }, error) => notifyFailure(error, TITLES[kind]),
    };
    return this.queue.listen(listener);
  }

  create(documentIdentifier: string, body: NewApiAnnotation): string {
    const key = newKey();
    const id = localId(key);
    this.queue.add({ kind: 'create', id, documentIdentifier, body, idempotencyKey: key, state: 'saving' });
    this.pushUndo(() => this.remove(documentIdentifier, this.queue.nameOf(id), true));
    return id;
  }

  change(documentIdentifier: string, asked: string, patch: AnnotationPatch, undoing = false): void {
    const id = this.queue.nameOf(asked);
    const before = this.queue.cache.findAnnotation(documentIdentifier, id);
    this.queue.add({ kind: 'change', patch, ...this.act(documentIdentifier, id, before) });
    if (before !== undefined && !undoing) this.pushUndo(() => this.change(documentIdentifier, id, reverse(patch, before), true));
  }

  remove(documentIdentifier: string, asked: string, undoing = false): void {
    const id = this.queue.nameOf(asked);
    const creating = this.queue.edits().find((edit) => edit.id === id && edit.kind === 'create');
    if (creating?.state === 'failed') return this.queue.discard(creating);
    const before = this.queue.cache.findAnnotation(documentIdentifier, id);
    this.queue.add({ kind: 'remove', undoing, ...this.act(documentIdentifier, id, before) });
  }

  /** Sends everything that was refused once more. */
  retryAll(documentIdentifier?: string): void {
    for (const edit of this.queue.edits()) {
      if (edit.state === 'failed' && (documentIdentifier === undefined || edit.documentIdentifier === documentIdentifier)) this.retry(edit);
    }
  }

  retryAnnotation(id: string): void {
    for (const edit of this.queue.edits()) if (edit.id === id && edit.state === 'failed') this.retry(edit);
  }

  retry(edit: LabellingEdit): void {
    this.queue.retry(edit);
  }

  discard(edit: LabellingEdit): void {
    this.queue.discard(edit);
  }

  /** The conflict ends with what the other one left. */
  takeCurrent(edit: ChangeEdit | RemoveEdit): void {
    this.queue.takeCurrent(edit);
  }

  /** The conflict ends with our change on top of what the other one left. */
  applyMine(edit: ChangeEdit | RemoveEdit): void {
    this.queue.applyMine(edit);
  }

  /** T-017: in an exclusive set the new category replaces the others. */
  addCategory(body: NewCategory): void {
    const key = newKey();
    const { documentIdentifier } = body;
    this.queue.add({ kind: 'category', id: localId(key), documentIdentifier, body, idempotencyKey: key, state: 'saving' });
  }

  /** Removes a category that is there; one that never arrived just goes. */
  removeCategory(documentIdentifier: string, category: Category): void {
    if (isLocal(category.identifier)) {
      const creating = this.queue.edits().find(({ id }) => id === category.identifier);
      return creating === undefined ? undefined : this.queue.discard(creating);
    }
    this.queue.cache.dropCategory(documentIdentifier, category.identifier);
    this.queue.add(this.categoryAct(documentIdentifier, category, { kind: 'dropCategory' }));
  }

  /** T-018: accepts or rejects a suggested category. */
  decideCategory(documentIdentifier: string, category: Category, status: 'OK' | 'KO'): void {
    this.queue.cache.storeCategory(documentIdentifier, { ...category, status });
    this.queue.add(this.categoryAct(documentIdentifier, category, { kind: 'decideCategory', status }));
  }

  undo(): void {
    this.undoable.pop()?.();
  }

  /** The version somebody sees is the one the act is made on: earlier acts of ours on their way count as seen. */
  private act(documentIdentifier: string, id: string, before: Annotation | undefined) {
    const earlier = this.queue.edits().find((edit) => edit.id === id && edit.version !== undefined);
    const version = earlier?.version ?? before?.version;
    return { id, documentIdentifier, version, idempotencyKey: newKey(), state: 'saving' } as const;
  }

  private categoryAct(
    documentIdentifier: string,
    category: Category,
    what: Pick<CategoryChangeEdit, 'kind' | 'status'>,
  ): CategoryChangeEdit {
    const { identifier: id, version } = category;
    return { ...what, id, documentIdentifier, category, version, idempotencyKey: newKey(), state: 'saving' };
  }

  private done(edit: LabellingEdit, answer: unknown): void {
    const document = edit.documentIdentifier;
    if (edit.kind === 'remove' && edit.undoing !== true) this.offerRestore(document, edit.id);
    if (edit.kind === 'category') this.pushUndo(() => this.removeCategory(document, answer as Category));
    if (edit.kind === 'dropCategory') this.pushUndo(() => this.addCategory(recreated(document, edit.category)));
  }

  private offerRestore(documentIdentifier: string, id: string): void {
    let done = false;
    let told: number | null = null;
    const restore = () => {
      if (done) return;
      done = true;
      if (told !== null) useNotificationsStore.getState().dismiss(told);
      this.queue.add({ kind: 'restore', id, documentIdentifier, idempotencyKey: newKey(), state: 'saving' });
    };
    this.pushUndo(restore);
    told = notify({ type: 'success', message: text('removed'), action: { label: text('undo'), run: restore } });
  }

  private pushUndo(run: () => void): void {
    this.undoable.push(run);
    if (this.undoable.length > MAX_UNDO) this.undoable.shift();
  }
}

function reverse(patch: AnnotationPatch, before: Annotation): AnnotationPatch {
  return {
    ...(patch.labelName === undefined ? {} : { labelName: before.labelName }),
    ...(patch.status === undefined ? {} : { status: (before.status ?? null) as AnnotationPatch['status'] & null }),
    ...(patch.start === undefined ? {} : { start: before.start }),
    ...(patch.end === undefined ? {} : { end: before.end }),
  };
}

function recreated(documentIdentifier: string, { labelName, start, end }: Category): NewCategory {
  const range = start === undefined || start === null || end === undefined || end === null ? {} : { start, end };
  return { documentIdentifier, labelName, status: 'OK', creationMode: 'manual', ...range };
}
