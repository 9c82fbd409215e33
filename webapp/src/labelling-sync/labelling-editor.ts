/**
 * Edits annotations, categories and relations for a screen: each edit is shown immediately and queued, and can be undone through the
 * history.
 */
import i18next from 'i18next';
import { ApiError, notifyFailure } from '@/api/errors';
import { newKey } from '@/api/idempotency';
import type { Annotation, AnnotationPatch } from '@/api/resources/annotations';
import type { NewAnnotation } from '@/text/server-annotation';
import type { Category, NewCategory } from '@/api/resources/categories';
import type { NewRelation, RelationPatch } from '@/api/resources/relations';
import { notify } from '@/state/notifications-store';
import type { EditQueue, QueueListener } from './edit-queue';
import { isLocal, localId, type ConflictEdit, type LabellingEdit } from '@/labelling-sync/edits/types';
import { notifyUndoFailure } from './notify-undo-failure';
import { rememberOffer, withdrawOffer } from './restore-offers';

/** Keys of the `errors` catalogue. */
const ERROR_TITLES: Readonly<Record<LabellingEdit['kind'], string>> = {
  create: 'createAnnotation',
  change: 'changeAnnotation',
  remove: 'deleteAnnotation',
  restore: 'createAnnotation',
  category: 'createCategory',
  decideCategory: 'createCategory',
  dropCategory: 'deleteCategory',
  link: 'createRelation',
  changeLink: 'changeRelation',
  unlink: 'deleteRelation',
  restoreLink: 'createRelation',
  turn: 'history',
};

const translateLabellingText = (key: string, values?: Record<string, string>) => i18next.t(`labelling:${key}`, values ?? {});

export class LabellingEditor {
  constructor(
    private readonly queue: EditQueue,
    private readonly onNamed: (from: string, to: string) => void,
  ) {}

  get project(): string {
    return this.queue.project;
  }

  /** Listens to the results of edits; returns the function that stops listening. */
  connect(): () => void {
    const listener: QueueListener = {
      onNamed: this.onNamed,
      onDone: (edit) => this.offerUndo(edit),
      onRejected: (edit, error) => {
        const { kind } = edit;
        if (edit.kind === 'turn') notifyUndoFailure(error, edit.turning);
        else if (kind === 'category' && isCategoryRefusal(error)) console.warn('The project takes no categories', error);
        else notifyFailure(error, ERROR_TITLES[kind]);
      },
    };
    return this.queue.listen(listener);
  }

  create(documentIdentifier: string, body: NewAnnotation): string {
    const key = newKey();
    const id = localId(key);
    this.queue.add({ kind: 'create', id, documentIdentifier, body, idempotencyKey: key, state: 'saving' });
    return id;
  }

  change(documentIdentifier: string, asked: string, wanted: AnnotationPatch): void {
    const id = this.queue.serverIdOf(asked);
    const before = this.queue.cache.findAnnotation(documentIdentifier, id);
    const pieced = this.queue.edits().some((edit) => edit.id === id && edit.kind === 'change' && (edit.patch.fragments ?? null) !== null);
    const patch = mustClearFragments(wanted, before, pieced) ? { ...wanted, fragments: null } : wanted;
    this.queue.add({ kind: 'change', patch, ...this.editBase(documentIdentifier, id, before) });
  }

  remove(documentIdentifier: string, asked: string): void {
    const id = this.queue.serverIdOf(asked);
    const creating = this.queue.edits().find((edit) => edit.id === id && edit.kind === 'create');
    if (creating?.state === 'failed') return this.queue.discard(creating);
    const before = this.queue.cache.findAnnotation(documentIdentifier, id);
    this.queue.add({ kind: 'remove', ...this.editBase(documentIdentifier, id, before) });
  }

  /** Sends all refused edits again. */
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

  /** Resolves the conflict with the state of the other user. */
  takeCurrent(edit: ConflictEdit): void {
    this.queue.takeCurrent(edit);
  }

  /** Resolves the conflict with our change on top of the state of the other user. */
  applyMine(edit: ConflictEdit): void {
    this.queue.applyMine(edit);
  }

  /** T-017: in an exclusive set the new category replaces the others. */
  addCategory(body: NewCategory): void {
    const key = newKey();
    const { documentIdentifier } = body;
    this.queue.add({ kind: 'category', id: localId(key), documentIdentifier, body, idempotencyKey: key, state: 'saving' });
  }

  /** Removes a stored category, or discards the creation of one that is still unsaved. */
  removeCategory(documentIdentifier: string, category: Category): void {
    if (isLocal(category.identifier)) {
      const creating = this.queue.edits().find(({ id }) => id === category.identifier);
      return creating === undefined ? undefined : this.queue.discard(creating);
    }
    this.queue.cache.dropCategory(documentIdentifier, category.identifier);
    this.queue.add({ kind: 'dropCategory', ...this.categoryBase(documentIdentifier, category) });
  }

  /** T-018: accepts or rejects a suggested category. */
  decideCategory(documentIdentifier: string, category: Category, status: 'OK' | 'KO'): void {
    this.queue.cache.storeCategory(documentIdentifier, { ...category, status });
    this.queue.add({ kind: 'decideCategory', status, ...this.categoryBase(documentIdentifier, category) });
  }

  /** Relates two annotations, including those without a server id yet. */
  link(body: NewRelation): string {
    const key = newKey();
    const id = localId(key);
    const { documentIdentifier } = body;
    const ends = { source: this.queue.serverIdOf(body.source), target: this.queue.serverIdOf(body.target) };
    this.queue.add({ kind: 'link', id, documentIdentifier, body: { ...body, ...ends }, idempotencyKey: key, state: 'saving' });
    return id;
  }

  changeLink(documentIdentifier: string, asked: string, patch: RelationPatch): void {
    const id = this.queue.serverIdOf(asked);
    this.queue.add({
      kind: 'changeLink',
      patch,
      ...this.editBase(documentIdentifier, id, this.queue.cache.findRelation(documentIdentifier, id)),
    });
  }

  unlink(documentIdentifier: string, asked: string): void {
    const id = this.queue.serverIdOf(asked);
    const linking = this.queue.edits().find((edit) => edit.id === id && edit.kind === 'link');
    if (linking?.state === 'failed') return this.queue.discard(linking);
    this.queue.add({ kind: 'unlink', ...this.editBase(documentIdentifier, id, this.queue.cache.findRelation(documentIdentifier, id)) });
  }

  /** The version the user sees is the base of the edit: our own earlier unsaved edits count as seen. */
  private editBase(documentIdentifier: string, id: string, before: { readonly version: number } | undefined) {
    const earlier = this.queue.edits().find((edit) => edit.id === id && edit.version !== undefined);
    const version = earlier?.version ?? before?.version;
    return { id, documentIdentifier, version, idempotencyKey: newKey(), state: 'saving' } as const;
  }

  private categoryBase(documentIdentifier: string, category: Category) {
    const { identifier: id, version } = category;
    return { id, documentIdentifier, category, version, idempotencyKey: newKey(), state: 'saving' } as const;
  }

  private offerUndo(edit: LabellingEdit): void {
    const document = edit.documentIdentifier;
    if (edit.kind === 'remove') this.offerRestore(document, edit.id, 'restore');
    if (edit.kind === 'unlink') this.offerRestore(document, edit.id, 'restoreLink');
  }

  /** The undo of a message and that of the keyboard are the same: using one withdraws the other. */
  private offerRestore(documentIdentifier: string, id: string, kind: 'restore' | 'restoreLink'): void {
    let done = false;
    const restore = () => {
      if (done) return;
      done = true;
      withdrawOffer(id);
      this.queue.add({ kind, id, documentIdentifier, idempotencyKey: newKey(), state: 'saving' });
    };
    const message = translateLabellingText(kind === 'restore' ? 'removed' : 'unlinked');
    rememberOffer(id, notify({ type: 'success', message, action: { label: translateLabellingText('undo'), run: restore } }));
  }
}

/** E-053: the project is read-only or has no such category. Only logged: the edit stays among the refused ones, with the reason. */
const isCategoryRefusal = (error: unknown): boolean => error instanceof ApiError && (error.status === 400 || error.status === 403);

/** New ends without fragments for an annotation that had some. */
const mustClearFragments = (patch: AnnotationPatch, before: Annotation | undefined, pieced: boolean): boolean =>
  patch.start !== undefined && patch.fragments === undefined && (pieced || (before?.fragments?.length ?? 0) > 0);
