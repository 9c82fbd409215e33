/** Names of relations in the project with their colours: add, rename, colour, delete together with their relations. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  createRelationName,
  deleteRelationName,
  relationKeys,
  relationNameConsequencesQuery,
  relationNamesQuery,
  updateRelationName,
  type RelationName,
} from '@/api/resources/relations';
import { isHex } from '@/theme/colour';
import { useLabelStyle } from '@/theme/mode';
import { leastUsedColour } from '@/theme/palette';
import { Badge } from '@/ui/badge';
import { followAndNotify } from '@/blocks/bulk/bulk-job';
import { ColourInput } from '@/ui/colour-input';
import { DataTable, type Column } from '@/ui/data-table';
import { DeleteDialog } from '@/ui/delete-dialog';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { usePersonName } from '@/blocks/projects/person-name';
import { ErrorState } from '@/blocks/error-state';
import styles from './labels.module.css';
import { LabelFormDialog } from './label-form-dialog';
import { NameInput } from './name-input';

const NONE: readonly RelationName[] = [];

interface NameDialogProps {
  readonly project: string;
  /** Absent: a new name. */
  readonly known?: RelationName;
  readonly names: readonly RelationName[];
  /** Colours in use by labels and names: a new name gets another one. */
  readonly used: readonly string[];
  readonly onClose: () => void;
}

/** Enter submits. Closes only when saved; the input is kept after a failure. */
function RelationNameDialog({ project, known, names, used, onClose }: NameDialogProps) {
  const { t } = useTranslation('labels');
  const client = useQueryClient();
  const [name, setName] = useState(known?.name ?? '');
  const [color, setColor] = useState(() => known?.color ?? leastUsedColour(used));
  const [tried, setTried] = useState(false);
  const words = name.trim();
  const taken = words !== known?.name && names.some((one) => one.name === words);
  const save = useMutation<unknown, Error>({
    mutationFn: () =>
      known === undefined
        ? createRelationName(project, { name: words, color })
        : updateRelationName(project, known.name, { color, ...(words !== known.name && { newName: words }) }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: relationKeys.all });
      onClose();
    },
    meta: { errorTitle: 'saveRelationName' },
  });
  const problem = words === '' ? t('relationNames.missing') : taken ? t('relationNames.taken') : undefined;
  return (
    <LabelFormDialog
      width="small"
      title={t(known === undefined ? 'relationNames.add' : 'relationNames.editTitle')}
      onClose={onClose}
      valid={problem === undefined && isHex(color)}
      onTry={() => setTried(true)}
      submitLabel={t(known === undefined ? 'relationNames.add' : 'relationNames.save')}
      save={save}
    >
      <NameInput
        label={t('relationNames.name')}
        value={name}
        onChange={setName}
        error={tried ? problem : undefined}
        {...(known !== undefined && { help: t('relationNames.renameHelp') })}
      />
      <ColourInput
        label={t('field.colour')}
        value={color}
        onChange={setColor}
        error={tried && !isHex(color) ? t('colourWrong') : undefined}
      />
    </LabelFormDialog>
  );
}

/** The server counts the relations to be deleted with the name, of all users; a non-empty deletion must be confirmed (V-002). */
function RemoveRelationNameDialog({
  project,
  known,
  onClose,
}: {
  readonly project: string;
  readonly known: RelationName;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('labels');
  const format = useFormat();
  const client = useQueryClient();
  const personName = usePersonName();
  const { data: told } = useQuery(relationNameConsequencesQuery(project, known.name));
  const remove = useMutation({
    mutationFn: () => deleteRelationName(project, known.name),
    onSuccess: (job) => {
      void client.invalidateQueries({ queryKey: relationKeys.all });
      if (job !== undefined) void followAndNotify(job);
    },
    meta: { errorTitle: 'deleteRelationName' },
  });
  const counted = (count: number, of: 'relations' | 'documents') => t(`consequences.${of}`, { count, number: format.number(count) });
  const some = told === undefined || told.relations > 0 || told.hidden === true;
  return (
    <DeleteDialog
      title={t('relationNames.removeTitle', { name: known.name })}
      keepLabel={t('remove.keep')}
      deleteLabel={t('relationNames.remove')}
      onClose={onClose}
      onDelete={() => remove.mutateAsync()}
      {...(some && { strong: t('relationNames.removeStrong') })}
    >
      {told === undefined && <p role="status">{t('consequences.loading')}</p>}
      {told !== undefined && !some && <p>{t('relationNames.unused')}</p>}
      {told !== undefined && some && (
        <div className={styles['consequences']}>
          {told.relations > 0 && (
            <>
              <p>
                {t('consequences.carried', {
                  what: counted(told.relations, 'relations'),
                  documents: counted(told.documents, 'documents'),
                })}
              </p>
              <p>
                {t('consequences.creators', {
                  names: told.creators.map(({ createdBy, count }) => `${personName(createdBy)} (${format.number(count)})`).join(', '),
                })}
              </p>
            </>
          )}
          {told.hidden === true && <p>{t('consequences.hidden.carried')}</p>}
          <p>{t('consequences.undo')}</p>
        </div>
      )}
    </DeleteDialog>
  );
}

function RelationNameCell({ known }: { readonly known: RelationName }) {
  return (
    <span className={styles['relation']} style={useLabelStyle(known.color ?? undefined)} title={known.name}>
      <span className={styles['relation-arrow']} aria-hidden="true" />
      <span dir="auto">{known.name}</span>
    </span>
  );
}

interface RelationNamesProps {
  readonly project: string;
  readonly editable: boolean;
  /** Colours of the labels. */
  readonly used: readonly string[];
}

type Open = { readonly kind: 'add' } | { readonly kind: 'edit' | 'remove'; readonly known: RelationName };

interface OpenDialogProps extends Pick<NameDialogProps, 'project' | 'names' | 'used' | 'onClose'> {
  readonly open: Open;
}

function RelationNameDialogs({ project, open, names, used, onClose }: OpenDialogProps) {
  if (open.kind === 'remove') return <RemoveRelationNameDialog {...{ project, onClose }} known={open.known} />;
  const colours = [...used, ...names.flatMap(({ color }) => color ?? [])];
  return <RelationNameDialog {...{ project, names, onClose }} used={colours} {...(open.kind === 'edit' && { known: open.known })} />;
}

export function RelationNames({ project, editable, used }: RelationNamesProps) {
  const { t } = useTranslation('labels');
  const format = useFormat();
  const [open, setOpen] = useState<Open | null>(null);
  const { data: names = NONE, error, refetch } = useQuery(relationNamesQuery(project));
  const columns: Column<RelationName>[] = [
    { key: 'name', header: t('relationNames.name'), width: '60%', cell: (known) => <RelationNameCell known={known} /> },
    { key: 'colour', header: t('column.colour'), cell: ({ color }) => <code>{color}</code>, width: 96, priority: 2 },
    { key: 'count', header: t('column.count'), align: 'right', width: 84, cell: ({ count = 0 }) => format.number(count) },
  ];
  const rowActions = (known: RelationName) => (
    <>
      <IconButton small label={t('edit', { label: known.name })} icon={Pencil} onClick={() => setOpen({ kind: 'edit', known })} />
      <IconButton small label={t('delete', { label: known.name })} icon={Trash2} onClick={() => setOpen({ kind: 'remove', known })} />
    </>
  );
  return (
    <section className={styles['set']} aria-label={t('relationNames.title')}>
      <div className={styles['set-head']}>
        <h2 className={styles['relation-title']}>{t('relationNames.title')}</h2>
        <Badge>{format.number(names.length)}</Badge>
        {editable && (
          <span className={styles['set-actions']}>
            <IconButton small label={t('relationNames.add')} icon={Plus} onClick={() => setOpen({ kind: 'add' })} />
          </span>
        )}
      </div>
      {error !== null && <ErrorState title={t('errors:error.getRelationNames')} error={error} onRetry={() => void refetch()} />}
      {error === null && names.length === 0 && <p className={styles['note']}>{t('relationNames.none')}</p>}
      {names.length > 0 && (
        <DataTable
          label={t('relationNames.title')}
          rows={names}
          rowKey={({ name }) => name}
          rowName={({ name }) => name}
          columns={columns}
          {...(editable && { rowActions, onOpen: (known: RelationName) => setOpen({ kind: 'edit', known }) })}
        />
      )}
      {open !== null && <RelationNameDialogs {...{ project, open, names, used }} onClose={() => setOpen(null)} />}
    </section>
  );
}
