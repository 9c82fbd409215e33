/** Saves labelling: paints first, then asks the server; serialises what concerns one annotation; undoes; keeps what fails. */
import i18next from 'i18next';
import type { LabellingCache } from '@/api/labelling-cache';
import { ApiError, notifyFailure } from '@/api/errors';
import {
  createAnnotation,
  currentOf,
  deleteAnnotation,
  patchAnnotation,
  restoreAnnotation,
  type Annotation,
  type AnnotationPatch,
} from '@/api/resources/annotations';
import { createCategory, deleteCategory, patchCategory, type Category, type NewCategory } from '@/api/resources/categories';
import { notify, useNotificationsStore } from '@/state/notifications-store';
import type { NewApiAnnotation } from '../wire';
import { renamed, withEdit, withoutEdit, type LabellingEdit } from './edits';
import { editsOf, useEditsStore } from './edits-store';

const LOCAL = 'local-';
const MAX_UNDO = 100;

/** 128 random bits; `randomUUID` is missing where the studio is served by plain http on a network. */
const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export const isLocal = (id: string) => id.startsWith(LOCAL);

const text = (key: string, values?: Record<string, string>) => i18next.t(`labelling:${key}`, values ?? {});

export class Labelling {
  private readonly chains = new Map<string, Promise<void>>();
  private readonly names = new Map<string, string>();
  private readonly undoable: (() => void)[] = [];

  constructor(
    readonly project: string,
    private readonly cache: LabellingCache,
    /** Told when the server has named what was created: focus follows. */
    private readonly onNamed: (from: string, to: string) => void,
  ) {}

  create(documentIdentifier: string, body: NewApiAnnotation): string {
    const id = `${LOCAL}${newKey()}`;
    this.put({ kind: 'create', id, documentIdentifier, body, idempotencyKey: newKey(), state: 'saving' });
    this.chain(id, () => this.sendCreate(id));
    this.pushUndo(() => this.remove(documentIdentifier, this.nameOf(id), true));
    return id;
  }

  change(documentIdentifier: string, asked: string, patch: AnnotationPatch, undoing = false): void {
    const id = this.nameOf(asked);
    const before = this.cache.findAnnotation(documentIdentifier, id);
    this.put({ kind: 'change', id, documentIdentifier, patch, state: 'saving' });
    this.chain(id, () => this.sendChange(documentIdentifier, id));
    if (before !== undefined && !undoing) this.pushUndo(() => this.change(documentIdentifier, id, reverse(patch, before), true));
  }

  remove(documentIdentifier: string, asked: string, undoing = false): void {
    const id = this.nameOf(asked);
    const creating = this.edit(id, 'create');
    if (creating?.state === 'failed') return this.drop(id, 'create');
    this.put({ kind: 'remove', id, documentIdentifier, state: 'saving' });
    this.chain(id, () => this.sendRemove(documentIdentifier, id, undoing));
  }

  /** Sends everything that failed once more. */
  retryAll(documentIdentifier?: string): void {
    for (const edit of editsOf(this.project)) {
      if (edit.state === 'failed' && (documentIdentifier === undefined || edit.documentIdentifier === documentIdentifier)) this.retry(edit);
    }
  }

  retryAnnotation(id: string): void {
    for (const edit of editsOf(this.project)) if (edit.id === id && edit.state === 'failed') this.retry(edit);
  }

  /** The conflict ends with what the other one left. */
  takeCurrent(edit: LabellingEdit): void {
    this.drop(edit.id, edit.kind);
    if ('current' in edit && edit.current !== undefined) this.cache.storeAnnotation(edit.documentIdentifier, edit.current);
  }

  /** The conflict ends with our change on top of what the other one left. */
  applyMine(edit: LabellingEdit): void {
    if ('current' in edit && edit.current !== undefined) this.cache.storeAnnotation(edit.documentIdentifier, edit.current);
    this.retry(edit);
  }

  /** T-017: in an exclusive set the new category replaces the others. */
  addCategory(body: NewCategory): void {
    const id = `${LOCAL}${newKey()}`;
    this.put({ kind: 'category', id, documentIdentifier: body.documentIdentifier, body, idempotencyKey: newKey(), state: 'saving' });
    this.chain(id, () => this.sendCategory(id));
  }

  /** Removes a category that is there; one that never arrived just goes. */
  removeCategory(documentIdentifier: string, category: Category): void {
    if (isLocal(category.identifier)) return this.drop(category.identifier, 'category');
    this.cache.dropCategory(documentIdentifier, category.identifier);
    this.chain(category.identifier, async () => {
      try {
        await deleteCategory(this.project, category.identifier, category.version);
        this.pushUndo(() => this.addCategory(recreated(documentIdentifier, category)));
      } catch (error) {
        this.categoryFailed(documentIdentifier, category, error, 'deleteCategory');
      }
    });
  }

  /** T-018: accepts or rejects a suggested category. */
  decideCategory(documentIdentifier: string, category: Category, status: 'OK' | 'KO'): void {
    this.cache.storeCategory(documentIdentifier, { ...category, status });
    this.chain(category.identifier, async () => {
      try {
        this.cache.storeCategory(documentIdentifier, await patchCategory(this.project, category.identifier, status, category.version));
      } catch (error) {
        this.categoryFailed(documentIdentifier, category, error, 'createCategory');
      }
    });
  }

  undo(): void {
    this.undoable.pop()?.();
  }

  private retry(edit: LabellingEdit): void {
    this.put({ ...edit, state: 'saving' });
    const { id, documentIdentifier } = edit;
    if (edit.kind === 'create') this.chain(id, () => this.sendCreate(id));
    if (edit.kind === 'change') this.chain(id, () => this.sendChange(documentIdentifier, id));
    if (edit.kind === 'remove') this.chain(id, () => this.sendRemove(documentIdentifier, id, false));
    if (edit.kind === 'category') this.chain(id, () => this.sendCategory(id));
  }

  private async sendCreate(id: string): Promise<void> {
    const edit = this.edit(id, 'create');
    if (edit?.kind !== 'create') return;
    try {
      const created = await createAnnotation(this.project, edit.body, edit.idempotencyKey);
      const annotation = { ...edit.body, ...created };
      this.names.set(id, annotation.identifier);
      this.cache.storeAnnotation(edit.documentIdentifier, annotation);
      useEditsStore.getState().update(this.project, (edits) => renamed(withoutEdit(edits, id, 'create'), id, annotation.identifier));
      this.onNamed(id, annotation.identifier);
    } catch (error) {
      this.failed(edit, error, 'createAnnotation');
    }
  }

  private async sendChange(documentIdentifier: string, asked: string): Promise<void> {
    const id = this.nameOf(asked);
    const edit = this.edit(id, 'change');
    if (edit?.kind !== 'change' || edit.state !== 'saving') return;
    if (isLocal(id)) return this.fail(edit);
    try {
      const version = this.cache.findAnnotation(documentIdentifier, id)?.version;
      const changed = await patchAnnotation(this.project, id, edit.patch, version);
      this.cache.storeAnnotation(documentIdentifier, { ...this.cache.findAnnotation(documentIdentifier, id), ...changed });
      // A later change of the same annotation may have joined meanwhile: it is sent by its own turn.
      if (this.edit(id, 'change') === edit) this.drop(id, 'change');
    } catch (error) {
      this.failed(edit, error, 'changeAnnotation');
    }
  }

  private async sendRemove(documentIdentifier: string, asked: string, undoing: boolean): Promise<void> {
    const id = this.nameOf(asked);
    const edit = this.edit(id, 'remove');
    if (edit === undefined) return;
    if (isLocal(id)) {
      // Its creation failed meanwhile: nothing of it is on the server.
      this.drop(id, 'remove');
      return this.drop(id, 'create');
    }
    try {
      await deleteAnnotation(this.project, id, this.cache.findAnnotation(documentIdentifier, id)?.version);
      this.cache.dropAnnotation(documentIdentifier, id);
      this.drop(id, 'remove');
      if (!undoing) this.offerRestore(documentIdentifier, id);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        this.cache.dropAnnotation(documentIdentifier, id);
        return this.drop(id, 'remove');
      }
      this.failed(edit, error, 'deleteAnnotation');
    }
  }

  private async sendCategory(id: string): Promise<void> {
    const edit = this.edit(id, 'category');
    if (edit?.kind !== 'category') return;
    try {
      const { replaced, ...category } = await createCategory(this.project, edit.body, edit.idempotencyKey);
      this.cache.storeCategory(edit.documentIdentifier, { ...edit.body, ...category }, replaced);
      this.drop(id, 'category');
      this.pushUndo(() => this.removeCategory(edit.documentIdentifier, category));
    } catch (error) {
      this.failed(edit, error, 'createCategory');
    }
  }

  private offerRestore(documentIdentifier: string, id: string): void {
    let done = false;
    let told: number | null = null;
    const restore = () => {
      if (done) return;
      done = true;
      if (told !== null) useNotificationsStore.getState().dismiss(told);
      this.chain(id, async () => {
        try {
          this.cache.storeAnnotation(documentIdentifier, await restoreAnnotation(this.project, id));
        } catch (error) {
          done = false;
          notifyFailure(error, 'createAnnotation');
        }
      });
    };
    this.pushUndo(restore);
    told = notify({ type: 'success', message: text('removed'), action: { label: text('undo'), run: restore } });
  }

  private categoryFailed(documentIdentifier: string, category: Category, error: unknown, title: string): void {
    const current = currentOf<Category>(error);
    this.cache.storeCategory(documentIdentifier, current ?? category);
    if (current === undefined) notifyFailure(error, title);
    else notify({ type: 'warning', message: text('categoryChanged'), fix: text('categoryChangedFix') });
  }

  private failed(edit: LabellingEdit, error: unknown, title: string): void {
    const current = currentOf(error);
    if (current !== undefined && (edit.kind === 'change' || edit.kind === 'remove')) {
      this.put({ ...(this.edit(edit.id, edit.kind) ?? edit), current, state: 'conflict' } as LabellingEdit);
      return;
    }
    if (edit.kind === 'change' && error instanceof ApiError && error.status === 404) {
      this.drop(edit.id, 'change');
      this.cache.dropAnnotation(edit.documentIdentifier, edit.id);
    } else this.fail(edit);
    notifyFailure(error, title);
  }

  private fail(edit: LabellingEdit): void {
    this.put({ ...(this.edit(edit.id, edit.kind) ?? edit), state: 'failed' });
  }

  private edit(id: string, kind: LabellingEdit['kind']): LabellingEdit | undefined {
    return editsOf(this.project).find((edit) => edit.id === id && edit.kind === kind);
  }

  private put(edit: LabellingEdit): void {
    useEditsStore.getState().update(this.project, (edits) => withEdit(edits, edit));
  }

  private drop(id: string, kind: LabellingEdit['kind']): void {
    useEditsStore.getState().update(this.project, (edits) => withoutEdit(edits, id, kind));
  }

  private nameOf(id: string): string {
    return this.names.get(id) ?? id;
  }

  /** One after the other for one annotation: each change needs the version the last one left. */
  private chain(id: string, task: () => Promise<void>): void {
    const key = [...this.names].find(([, name]) => name === id)?.[0] ?? id;
    const next = (this.chains.get(key) ?? Promise.resolve()).then(task);
    this.chains.set(key, next);
    void next.finally(() => {
      if (this.chains.get(key) === next) this.chains.delete(key);
    });
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
