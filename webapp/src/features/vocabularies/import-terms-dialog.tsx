import { X } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { ApiError } from '@/api/errors';
import type { EngineForm } from '@/api/resources/components';
import type { Lexicon } from '@/api/resources/lexicons';
import { ErrorState } from '@/blocks/error-state';
import { JobReport } from '@/blocks/jobs/job-report';
import { SchemaForm } from '@/forms/schema-form';
import { Button } from '@/ui/button';
import { SelectInput } from '@/ui/choice-inputs';
import { Dialog } from '@/ui/dialog';
import { Disclosure } from '@/ui/disclosure';
import { TextInput } from '@/ui/field';
import { FileDropZone } from '@/ui/file-drop-zone';
import { useFormat } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { Notice } from '@/ui/notice';
import { Skeleton } from '@/ui/placeholder-states';
import { ProgressBar } from '@/ui/progress-bar';
import { splitColumnFields } from './import-rules';
import { TermPreview } from './term-preview';
import { useTermImport, type TermImportState } from './use-term-import';
import styles from './vocabularies.module.css';

interface StateProps {
  readonly state: TermImportState;
}

/** The chosen file with the progress of its upload. */
function SelectedFile({ state }: StateProps) {
  const { t } = useTranslation('vocabularies');
  const format = useFormat();
  const { file, share, uploaded, error, send, remove } = state.upload;
  if (file === null) return null;
  return (
    <>
      <div className={styles['file']}>
        <strong>{file.name}</strong>
        <span>{format.bytes(file.size)}</span>
        {uploaded === undefined && error === null && (
          <ProgressBar share={share} label={t('import.uploading')} text={format.percent(share)} />
        )}
        <IconButton small label={t('import.removeFile')} icon={X} disabled={state.launch.isPending} onClick={remove} />
      </div>
      {error !== null && <ErrorState title={t('errors:error.loadTerms')} error={error} onRetry={() => void send(file)} />}
    </>
  );
}

/** The lexicon that the terms go into: a new one, or one of the project. */
function TargetFields({ state, lexicons }: StateProps & { readonly lexicons: readonly Lexicon[] }) {
  const { t } = useTranslation('vocabularies');
  const { target, setTarget, label, setLabel, launch } = state;
  const known = lexicons.map((one) => ({ value: one.name, label: one.label }));
  const created = state.created ? [{ value: target, label }] : [];
  return (
    <>
      <SelectInput
        label={t('import.into')}
        value={target}
        disabled={launch.isPending}
        options={[{ value: '', label: t('import.newLexicon') }, ...known, ...created]}
        onChange={setTarget}
        help={t(target === '' ? 'import.intoNew' : 'import.intoKnown')}
      />
      {target === '' && (
        <TextInput label={t('lexicon.name')} value={label} onChange={setLabel} maxLength={255} disabled={launch.isPending} />
      )}
    </>
  );
}

/** The drawn parameters of the importer, and the beginning of the file as it reads it. */
function ImporterFields({ state, form }: StateProps & { readonly form: EngineForm }) {
  const { t } = useTranslation('vocabularies');
  const id = useId();
  const { importer, upload, launch } = state;
  const { fields, rest } = useMemo(() => splitColumnFields(form.schema), [form.schema]);
  const problems = launch.error instanceof ApiError ? launch.error.fields : [];
  const drawn = Object.keys((rest['properties'] ?? {}) as object);
  return (
    <>
      {drawn.length > 0 && (
        <Disclosure className={styles['parameters']} open={problems.length > 0} summary={t('import.parameters')}>
          <SchemaForm
            id={id}
            schema={rest}
            value={importer.values}
            onChange={(next) => importer.setValues({ ...importer.values, ...next })}
            onSubmit={() => undefined}
            serverErrors={problems.map(({ field, message }) => ({ field: field.replace(/^importer\.parameters\./u, ''), message }))}
            disabled={launch.isPending}
          />
        </Disclosure>
      )}
      {upload.uploaded !== undefined && (
        <TermPreview
          project={state.project}
          file={upload.uploaded}
          choice={importer.choice}
          fields={fields}
          values={importer.values}
          onChange={importer.setValues}
          disabled={launch.isPending}
        />
      )}
    </>
  );
}

/** Which importer reads the file: proposed by its extension. */
function ImporterChoice({ state }: StateProps) {
  const { t } = useTranslation('vocabularies');
  const { importer, launch } = state;
  const { importers, format, choose, form } = importer;
  const about = importers.find(({ name }) => name === format)?.description ?? t('import.automaticHelp');
  return (
    <>
      <SelectInput
        label={t('import.format')}
        value={format}
        disabled={launch.isPending}
        options={[{ value: '', label: t('import.automatic') }, ...importers.map(({ name, title }) => ({ value: name, label: title }))]}
        onChange={choose}
        help={about}
      />
      {form.error !== null && (
        <ErrorState title={t('errors:error.importerParameters')} error={form.error} onRetry={() => void form.refetch()} />
      )}
      {format !== '' && form.data === undefined && form.error === null && <Skeleton rows={2} rowHeight={56} />}
      {form.data !== undefined && format !== '' && <ImporterFields key={format} state={state} form={form.data} />}
    </>
  );
}

function ImportForm({ state, lexicons }: StateProps & { readonly lexicons: readonly Lexicon[] }) {
  const { t } = useTranslation('vocabularies');
  const [refused, setRefused] = useState<readonly string[]>([]);
  const { upload, extensions, launch } = state;
  return (
    <div className={styles['fields']}>
      {upload.file === null && (
        <FileDropZone
          multiple={false}
          extensions={extensions}
          disabled={launch.isPending}
          hint={t('import.types', { types: extensions.join(', ') })}
          onRefused={setRefused}
          onFiles={([file]) => {
            setRefused([]);
            if (file !== undefined) void upload.send(file);
          }}
        />
      )}
      {refused.length > 0 && upload.file === null && (
        <Notice tone="error" role="alert">
          {t('import.refusedType', { names: refused.join(', '), types: extensions.join(', ') })}
        </Notice>
      )}
      <SelectedFile state={state} />
      {upload.file !== null && <TargetFields state={state} lexicons={lexicons} />}
      {upload.file !== null && <ImporterChoice state={state} />}
    </div>
  );
}

/** Relations to terms that no file had. */
function OpenRelations({ result }: { readonly result?: unknown }) {
  const { t } = useTranslation('vocabularies');
  const format = useFormat();
  const { openRelations } = (result ?? {}) as { readonly openRelations?: unknown };
  if (typeof openRelations !== 'number' || openRelations === 0) return null;
  return (
    <Notice tone="warning">
      <strong>{t('import.openRelations', { count: openRelations, number: format.number(openRelations) })}</strong>{' '}
      {t('import.openRelationsFix')}
    </Notice>
  );
}

interface ActionsProps extends StateProps {
  readonly onClose: () => void;
  readonly onSynchronise: () => void;
}

/** The buttons of the present step. */
function ImportActions({ state, onClose, onSynchronise }: ActionsProps) {
  const { t } = useTranslation('vocabularies');
  const { job, running, launch, stop, ready, again } = state;
  if (job === null)
    return (
      <>
        <Button onClick={onClose} disabled={launch.isPending}>
          {t('common:cancel')}
        </Button>
        <Button kind="solid" busy={launch.isPending} disabled={!ready} onClick={() => launch.mutate()}>
          {t('import.start')}
        </Button>
      </>
    );
  if (running)
    return (
      <>
        <Button busy={stop.isPending} onClick={() => stop.mutate()}>
          {t('import.stop')}
        </Button>
        <Button kind="solid" onClick={onClose}>
          {t('import.background')}
        </Button>
      </>
    );
  return (
    <>
      {job.status !== 'COMPLETED' && <Button onClick={again}>{t('import.again')}</Button>}
      <Button onClick={onClose}>{t('common:close')}</Button>
      {job.status === 'COMPLETED' && (
        <Button kind="solid" onClick={onSynchronise}>
          {t('import.next')}
        </Button>
      )}
    </>
  );
}

export interface ImportTermsDialogProps {
  readonly project: string;
  readonly lexicons: readonly Lexicon[];
  /** Name of the lexicon, empty for a new one. */
  readonly lexicon: string;
  readonly onClose: () => void;
}

/** D-021: a file, its importer with its parameters, the import with its progress and its report. */
export function ImportTermsDialog({ project, lexicons, lexicon, onClose }: ImportTermsDialogProps) {
  const { t } = useTranslation('vocabularies');
  const navigate = useNavigate();
  const state = useTermImport(project, lexicons, lexicon);
  const { job, upload, launch } = state;
  return (
    <Dialog
      open
      title={t('import.title')}
      // Escape or a click outside would lose the file.
      locked={launch.isPending || (upload.file !== null && job === null)}
      onClose={onClose}
      actions={<ImportActions state={state} onClose={onClose} onSynchronise={() => void navigate('/gazetteers/annotators')} />}
    >
      {job === null ? (
        <ImportForm state={state} lexicons={lexicons} />
      ) : (
        <div className={styles['fields']}>
          <JobReport key={job.id} project={project} job={job} linked={false} />
          <OpenRelations result={job.result} />
        </div>
      )}
    </Dialog>
  );
}
