import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Annotation } from '@/api/resources/annotations';
import type { Relation } from '@/api/resources/relations';
import { documentQuery } from '@/api/resources/documents';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { useFormat } from '@/ui/format';
import { usePersonName } from '@/blocks/projects/person-name';
import { buildOffsetIndex } from '@/text/offsets';
import styles from './labelling.module.css';
import {
  isConflictable,
  isRelationEdit,
  type ChangeAnnotationEdit,
  type ConflictEdit,
  type RelationEdit,
  type RemoveAnnotationEdit,
} from '@/labelling-sync/edits/types';
import { useEdits } from '@/labelling-sync/edits-store';
import type { LabellingEditor } from '@/labelling-sync/labelling-editor';
import { ConflictSide } from './conflict-side';
import { useProjectLabels } from './project-labels';

type AnnotationConflict = ChangeAnnotationEdit | RemoveAnnotationEdit;

/** What stands between two code points of a document, where the studio has its text. */
function useDocumentSlice(project: string) {
  const client = useQueryClient();
  return (document: string, start: number, end: number): string | undefined => {
    const text = client.getQueryData(documentQuery(project, document).queryKey)?.text;
    if (text === undefined) return undefined;
    const index = buildOffsetIndex(text);
    return text.slice(index.toUnits(start), index.toUnits(end));
  };
}

function useAnnotationConflictLines(project: string) {
  const { t } = useTranslation('labelling');
  const { nameOf } = useProjectLabels();
  const textOf = useDocumentSlice(project);
  const linesOf = (annotation: Partial<Annotation>) =>
    [
      annotation.text,
      annotation.labelName && nameOf(annotation.labelName),
      annotation.status !== undefined && t(`search:status.${annotation.status ?? 'undefined'}`),
    ].filter((line): line is string => typeof line === 'string' && line !== '');
  const mine = (edit: AnnotationConflict): string[] => {
    if (edit.kind === 'remove') return [t('conflict.removed')];
    const wanted = { ...edit.current, ...edit.patch } as Annotation;
    const moved = edit.patch.start !== undefined || edit.patch.end !== undefined;
    return linesOf(moved ? { ...wanted, text: textOf(edit.documentIdentifier, wanted.start, wanted.end) ?? wanted.text } : wanted);
  };
  return { linesOf, mine };
}

/** Describes a relation: its name, and its ends if the document is cached. */
function useRelationConflictLines(project: string) {
  const { t } = useTranslation('labelling');
  const client = useQueryClient();
  const linesOf = (document: string, { name, source, target }: Partial<Relation>): string[] => {
    const { annotations = [] } = client.getQueryData(documentQuery(project, document).queryKey) ?? {};
    const textOf = (end: string | undefined) => annotations.find(({ identifier }) => identifier === end)?.text;
    const ends = [textOf(source), textOf(target)];
    return [name ?? '', ends.includes(undefined) ? '' : ends.join(' → ')].filter((line) => line !== '');
  };
  const mine = (edit: RelationEdit): string[] => {
    if (edit.kind !== 'changeLink') return [t('conflict.removed')];
    return linesOf(edit.documentIdentifier, { ...edit.current, ...edit.patch });
  };
  return { linesOf, mine };
}

/** Author and time of the present version, usually very recent. */
function useModifiedByText() {
  const { t } = useTranslation('edits');
  const format = useFormat();
  const personName = usePersonName();
  return ({ modifiedBy, modifiedDate }: Partial<Annotation>) => {
    if (!modifiedBy) return t('conflict.unknown');
    return t('conflict.by', { name: personName(modifiedBy), when: modifiedDate ? format.whenWithin(modifiedDate) : '' });
  };
}

/** 412: shows our change next to the state of the other user; nothing is overwritten without a decision. */
export function ConflictDialog({
  labelling,
  documentIdentifier,
}: {
  readonly labelling: LabellingEditor;
  readonly documentIdentifier?: string;
}): ReactNode {
  const { t } = useTranslation('labelling');
  const labels = useAnnotationConflictLines(labelling.project);
  const relations = useRelationConflictLines(labelling.project);
  const who = useModifiedByText();
  const edits = useEdits(labelling.project, documentIdentifier);
  const edit = edits.find((other): other is ConflictEdit => other.state === 'conflict' && isConflictable(other));
  if (edit?.current === undefined) return null;
  const ofRelation = isRelationEdit(edit);
  const mine = ofRelation ? relations.mine(edit) : labels.mine(edit);
  const now = ofRelation ? relations.linesOf(edit.documentIdentifier, edit.current) : labels.linesOf(edit.current as Annotation);
  return (
    <Dialog
      open
      locked
      width="small"
      title={t(ofRelation ? 'conflict.relation' : 'conflict.title')}
      onClose={() => labelling.takeCurrent(edit)}
      actions={
        <>
          <Button onClick={() => labelling.applyMine(edit)}>{t('conflict.applyMine')}</Button>
          <Button kind="solid" autoFocus onClick={() => labelling.takeCurrent(edit)}>
            {t('conflict.takeCurrent')}
          </Button>
        </>
      }
    >
      <p>{who(edit.current)}</p>
      <p>{t('conflict.text')}</p>
      <div className={styles['sides']}>
        <ConflictSide title={t('conflict.mine')} lines={mine} />
        <ConflictSide title={t('conflict.current')} lines={now} />
      </div>
    </Dialog>
  );
}
