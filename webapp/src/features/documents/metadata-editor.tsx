import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { documentKeys, tagDocument, type AnnotatedDocument } from '@/api/resources/documents';
import { Button } from '@/ui/button';
import { SelectInput } from '@/ui/choice-inputs';
import { DateInput } from '@/ui/date-input';
import { Dialog } from '@/ui/dialog';
import { TextInput } from '@/ui/field';
import { IconButton } from '@/ui/icon-button';
import { notify } from '@/state/notifications-store';
import { useMetadataTitle } from '@/blocks/search/metadata-titles';
import styles from './documents.module.css';
import { MetadataList } from './metadata-list';
import {
  isEditableValue,
  metadataKindOf,
  KINDS,
  parseMetadataValue,
  valueAsText,
  type MetadataKind,
  type MetadataValue,
} from './metadata-values';

interface ChangeProps {
  readonly project: string;
  readonly document: AnnotatedDocument;
}

/** Sets or removes (`undefined`) one value, without overwriting a concurrent change. */
function useChangeMetadata({ project, document }: ChangeProps, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ name, value }: { readonly name: string; readonly value: MetadataValue | undefined }) =>
      tagDocument(project, document.identifier, document.version, name, value),
    // Pending until the new version is cached, as the next change is based on it.
    onSettled: () => queryClient.invalidateQueries({ queryKey: documentKeys.one(project, document.identifier) }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: documentKeys.one(project, document.identifier) });
      onDone();
    },
    meta: { errorTitle: 'tagDocument' },
  });
}

interface ValueFieldProps {
  readonly kind: MetadataKind;
  readonly text: string;
  readonly wrong: boolean;
  readonly onChange: (text: string) => void;
}

function MetadataValueField({ kind, text, wrong, onChange }: ValueFieldProps): ReactNode {
  const { t } = useTranslation('documents');
  const label = t('metadata.value');
  if (kind === 'yesno') {
    const options = ['true', 'false'].map((one) => ({ value: one, label: t(`metadata.${one}`) }));
    return <SelectInput label={label} value={text === 'true' ? 'true' : 'false'} options={options} onChange={onChange} />;
  }
  if (kind === 'date') return <DateInput label={label} value={text} onChange={onChange} />;
  if (kind === 'list') return <TextInput label={label} value={text} onChange={onChange} rows={4} help={t('metadata.listHelp')} />;
  const noNumber = kind === 'number' && wrong && text.trim() !== '';
  return <TextInput label={label} value={text} onChange={onChange} error={noNumber ? t('metadata.noNumber') : undefined} />;
}

interface EditDialogProps extends ChangeProps {
  /** Empty: a new field. */
  readonly name: string;
  readonly onClose: () => void;
}

function EditMetadataDialog({ name: known, onClose, ...where }: EditDialogProps): ReactNode {
  const { t } = useTranslation('documents');
  const metadataTitle = useMetadataTitle();
  const before = where.document.metadata?.[known];
  const [name, setName] = useState(known);
  const [kind, setKind] = useState<MetadataKind>(metadataKindOf(before));
  const [text, setText] = useState(valueAsText(before));
  const tag = useChangeMetadata(where, onClose);
  const value = parseMetadataValue(kind, text, before);
  const taken = known === '' && Object.hasOwn(where.document.metadata ?? {}, name.trim());
  const ready = name.trim() !== '' && value !== undefined && !taken;
  const changeKind = (next: MetadataKind) => {
    setKind(next);
    if (next === 'yesno' && text !== 'true') setText('false');
  };
  return (
    <Dialog
      open
      width="small"
      title={known === '' ? t('metadata.add') : t('metadata.change', { name: metadataTitle(known) })}
      onClose={onClose}
      locked={tag.isPending}
      onSubmit={() => ready && tag.mutate({ name: name.trim(), value })}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button kind="solid" type="submit" busy={tag.isPending} disabled={!ready}>
            {t('metadata.save')}
          </Button>
        </>
      }
    >
      <div className={styles['metadata-form']}>
        {known === '' && (
          <TextInput
            autoFocus
            required
            label={t('metadata.name')}
            value={name}
            maxLength={255}
            onChange={setName}
            error={taken ? t('metadata.taken') : undefined}
          />
        )}
        <SelectInput<MetadataKind>
          label={t('metadata.kind')}
          value={kind}
          options={KINDS.map((one) => ({ value: one, label: t(`metadata.kinds.${one}`) }))}
          onChange={changeKind}
        />
        <MetadataValueField {...{ kind, text }} wrong={value === undefined} onChange={setText} />
      </div>
    </Dialog>
  );
}

/** S-013: adds, changes and removes metadata of a document; removing can be undone. */
export function MetadataEditor(props: ChangeProps): ReactNode {
  const { t } = useTranslation('documents');
  const { project, document } = props;
  const metadataTitle = useMetadataTitle();
  const queryClient = useQueryClient();
  const [edited, setEdited] = useState<string | undefined>(undefined);
  const metadata = document.metadata ?? {};
  const remove = useChangeMetadata(props, () => undefined);
  const removeNow = (name: string) => {
    const before = metadata[name] as MetadataValue;
    const restore = () =>
      void tagDocument(project, document.identifier, undefined, name, before).then(() =>
        queryClient.invalidateQueries({ queryKey: documentKeys.all }),
      );
    remove.mutate(
      { name, value: undefined },
      {
        onSuccess: () =>
          notify({
            type: 'success',
            message: t('metadata.removed', { name: metadataTitle(name) }),
            action: { label: t('metadata.undo'), run: restore },
          }),
      },
    );
  };
  return (
    <>
      <MetadataList
        metadata={metadata}
        actions={(name) =>
          isEditableValue(metadata[name]) && (
            <span className={styles['metadata-actions']}>
              <IconButton small label={t('metadata.change', { name: metadataTitle(name) })} icon={Pencil} onClick={() => setEdited(name)} />
              <IconButton
                small
                label={t('metadata.remove', { name: metadataTitle(name) })}
                icon={Trash2}
                disabled={remove.isPending}
                onClick={() => removeNow(name)}
              />
            </span>
          )
        }
      />
      <Button kind="quiet" small icon={Plus} onClick={() => setEdited('')}>
        {t('metadata.add')}
      </Button>
      {edited !== undefined && <EditMetadataDialog key={edited} {...props} name={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}
