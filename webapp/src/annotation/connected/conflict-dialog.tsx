import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Annotation } from '@/api/resources/annotations';
import { documentQuery } from '@/api/resources/documents';
import { Button } from '@/components/button';
import { Dialog } from '@/components/dialog';
import { useFormat } from '@/components/format';
import { buildOffsetIndex } from '../../text/offsets';
import styles from './connected.module.css';
import type { ChangeEdit, RemoveEdit } from './edits';
import { useEdits } from './edits-store';
import type { Labelling } from './labelling';
import { useProjectLabels } from './project-labels';

type Conflict = ChangeEdit | RemoveEdit;

function Side({ title, lines }: { readonly title: string; readonly lines: readonly string[] }): ReactNode {
  return (
    <section className={styles['side']}>
      <h3>{title}</h3>
      {lines.map((line) => (
        <p key={line} dir="auto">
          {line}
        </p>
      ))}
    </section>
  );
}

/** What stands between two code points of a document, where the studio has its text. */
function useTextOf(project: string) {
  const client = useQueryClient();
  return (document: string, start: number, end: number): string | undefined => {
    const text = client.getQueryData(documentQuery(project, document).queryKey)?.text;
    if (text === undefined) return undefined;
    const index = buildOffsetIndex(text);
    return text.slice(index.toUnits(start), index.toUnits(end));
  };
}

function useLines(project: string) {
  const { t } = useTranslation('labelling');
  const { nameOf } = useProjectLabels();
  const textOf = useTextOf(project);
  const said = (annotation: Partial<Annotation>) =>
    [
      annotation.text,
      annotation.labelName && nameOf(annotation.labelName),
      annotation.status !== undefined && t(`search:status.${annotation.status ?? 'undefined'}`),
    ].filter((line): line is string => typeof line === 'string' && line !== '');
  const mine = (edit: Conflict): string[] => {
    if (edit.kind === 'remove') return [t('conflict.removed')];
    const wanted = { ...edit.current, ...edit.patch } as Annotation;
    const moved = edit.patch.start !== undefined || edit.patch.end !== undefined;
    return said(moved ? { ...wanted, text: textOf(edit.documentIdentifier, wanted.start, wanted.end) ?? wanted.text } : wanted);
  };
  return { said, mine };
}

/** Who made the version that stands, and when: a moment ago, as a rule. */
function useWho() {
  const { t } = useTranslation('acts');
  const format = useFormat();
  return ({ modifiedBy, modifiedDate }: Annotation) => {
    if (!modifiedBy) return t('conflict.unknown');
    return t('conflict.by', { name: modifiedBy, when: modifiedDate ? format.when(modifiedDate) : '' });
  };
}

/** 412: shows what we wanted beside what somebody else left; nothing is overwritten without a decision. */
export function ConflictDialog({
  labelling,
  documentIdentifier,
}: {
  readonly labelling: Labelling;
  readonly documentIdentifier?: string;
}): ReactNode {
  const { t } = useTranslation('labelling');
  const { said, mine } = useLines(labelling.project);
  const who = useWho();
  const edits = useEdits(labelling.project, documentIdentifier);
  const edit = edits.find((other): other is Conflict => other.state === 'conflict' && (other.kind === 'change' || other.kind === 'remove'));
  if (edit?.current === undefined) return null;
  return (
    <Dialog
      open
      locked
      width="small"
      title={t('conflict.title')}
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
        <Side title={t('conflict.mine')} lines={mine(edit)} />
        <Side title={t('conflict.current')} lines={said(edit.current)} />
      </div>
    </Dialog>
  );
}
