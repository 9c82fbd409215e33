import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createProject, LANGUAGES, loadProject, NATURES, projectKeys } from '@/api/resources/projects';
import { userGroupsQuery } from '@/api/resources/users';
import { uploadFiles, type UploadedFile } from '@/api/upload';
import { Button } from '@/components/button';
import { SelectInput } from '@/components/choices';
import { Dialog } from '@/components/dialog';
import { TextInput } from '@/components/field';
import { FileDropZone } from '@/components/file-drop-zone';
import { useFormat } from '@/components/format';
import { ProgressBar } from '@/components/progress-bar';
import { TabPanel, Tabs } from '@/components/tabs';
import { notifyFailure } from '@/api/errors';
import { useSessionStore } from '@/state/session-store';
import { defaultNature, MAX_PROJECT_NAME, nameError, nameFromArchive } from './project-name';
import styles from './home.module.css';

export interface CreateProjectDialogProps {
  readonly tab: 'new' | 'import';
  readonly onTab: (tab: 'new' | 'import') => void;
  readonly onClose: () => void;
  /** The name of the project made or imported. */
  readonly onCreated: (projectName: string) => void;
}

const FORM = 'create-project';

/** V-007: the group is asked for when the user belongs to several. */
function useGroups() {
  const username = useSessionStore((state) => state.principal?.username ?? '');
  const { data = [] } = useQuery(userGroupsQuery(username));
  return data;
}

interface TabProps {
  readonly onValid: (valid: boolean) => void;
  readonly onBusy: (busy: boolean) => void;
  readonly onCreated: (projectName: string) => void;
}

function GroupSelect({
  value,
  onChange,
  tried,
}: {
  readonly value: string;
  readonly onChange: (group: string) => void;
  readonly tried: boolean;
}) {
  const { t } = useTranslation('home');
  const groups = useGroups();
  if (groups.length < 2) return null;
  return (
    <SelectInput
      required
      label={t('field.group')}
      value={value}
      onChange={onChange}
      options={groups.map((group) => ({ value: group.name, label: group.label || group.name }))}
      error={tried && value === '' ? t('groupMissing') : undefined}
    />
  );
}

function useDone(onCreated: (name: string) => void) {
  const queryClient = useQueryClient();
  return async (name: string) => {
    await queryClient.invalidateQueries({ queryKey: projectKeys.all });
    onCreated(name);
  };
}

function NewProjectTab({ onBusy, onCreated }: TabProps) {
  const { t } = useTranslation('home');
  const available = useSessionStore((state) => state.config.available?.natures) ?? NATURES;
  const groups = useGroups();
  const [label, setLabel] = useState('');
  const [description, setDescription] = useState('');
  const [lang, setLang] = useState<string>('en');
  const [nature, setNature] = useState(defaultNature(available));
  const [group, setGroup] = useState('');
  const [tried, setTried] = useState(false);
  const done = useDone(onCreated);
  const wrong = nameError(label);
  const create = useMutation({
    mutationFn: () =>
      createProject({ label: label.trim(), description: description.trim(), lang, nature }, group === '' ? undefined : group),
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
    onSuccess: ({ projectName }) => done(projectName),
    meta: { errorTitle: 'createProject' },
  });
  return (
    <form
      id={FORM}
      noValidate
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (wrong === null && (groups.length < 2 || group !== '')) create.mutate();
      }}
    >
      <TextInput
        autoFocus
        required
        label={t('field.label')}
        value={label}
        onChange={setLabel}
        help={t('field.labelHelp', { max: MAX_PROJECT_NAME })}
        error={tried && wrong !== null ? t(`name.${wrong}`, { max: MAX_PROJECT_NAME }) : undefined}
      />
      <SelectInput
        label={t('field.nature')}
        value={nature}
        onChange={setNature}
        options={available.map((value) => ({ value, label: t(`nature.${value}`, { defaultValue: value }) }))}
        help={t(`natureHelp.${nature}`, { defaultValue: '' })}
      />
      <SelectInput
        label={t('field.language')}
        value={lang}
        onChange={setLang}
        options={LANGUAGES.map((value) => ({ value, label: t(`language.${value}`) }))}
      />
      <GroupSelect value={group} onChange={setGroup} tried={tried} />
      <TextInput label={t('field.description')} rows={2} value={description} onChange={setDescription} />
    </form>
  );
}

interface Archive {
  readonly name: string;
  readonly size: number;
  readonly share: number;
  readonly uploaded: UploadedFile | null;
}

/** C-046: exactly one `.spa`. */
function ImportProjectTab({ onValid, onBusy, onCreated }: TabProps) {
  const { t } = useTranslation('home');
  const format = useFormat();
  const groups = useGroups();
  const [archive, setArchive] = useState<Archive | null>(null);
  const [refused, setRefused] = useState(false);
  const [label, setLabel] = useState('');
  const [group, setGroup] = useState('');
  const done = useDone(onCreated);
  const valid = (uploaded: UploadedFile | null, name: string, chosen: string) =>
    onValid(uploaded !== null && nameError(name) === null && (groups.length < 2 || chosen !== ''));
  const take = async (file: File) => {
    const proposed = nameFromArchive(file.name);
    setRefused(false);
    setLabel(proposed);
    onValid(false);
    setArchive({ name: file.name, size: file.size, share: 0, uploaded: null });
    try {
      const [uploaded] = await uploadFiles([file], { onProgress: (share) => setArchive((now) => now && { ...now, share }) });
      setArchive((now) => now && { ...now, share: 1, uploaded: uploaded ?? null });
      valid(uploaded ?? null, proposed, group);
    } catch (error) {
      setArchive(null);
      notifyFailure(error, 'upload');
    }
  };
  const load = useMutation({
    mutationFn: (uploaded: UploadedFile) => loadProject(uploaded, label.trim(), group === '' ? undefined : group),
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
    onSuccess: ({ projectName }) => done(projectName),
    meta: { errorTitle: 'importProject' },
  });
  const wrong = archive === null ? null : nameError(label);
  return (
    <form
      id={FORM}
      noValidate
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        if (archive?.uploaded) load.mutate(archive.uploaded);
      }}
    >
      <FileDropZone
        multiple={false}
        extensions={['spa']}
        hint={t('archiveHint')}
        onFiles={([file]) => file !== undefined && void take(file)}
        onRefused={() => setRefused(true)}
      />
      {refused && <p role="alert">{t('archiveRefused')}</p>}
      {archive !== null && (
        <div className={styles['archive']}>
          <span>{archive.name}</span>
          <small>{format.bytes(archive.size)}</small>
          {archive.uploaded === null ? (
            <ProgressBar label={t('uploading')} share={archive.share} text={t('uploading')} width={100} />
          ) : (
            <small>{t('uploaded')}</small>
          )}
        </div>
      )}
      <TextInput
        required
        label={t('field.label')}
        value={label}
        error={wrong === null ? undefined : t(`name.${wrong}`, { max: MAX_PROJECT_NAME })}
        onChange={(text) => {
          setLabel(text);
          valid(archive?.uploaded ?? null, text, group);
        }}
      />
      <GroupSelect
        value={group}
        tried={false}
        onChange={(chosen) => {
          setGroup(chosen);
          valid(archive?.uploaded ?? null, label, chosen);
        }}
      />
    </form>
  );
}

/** D-001: submit depends on the active tab; it closes only when the project is there (T-008, T-009). */
export function CreateProjectDialog({ tab, onTab, onClose, onCreated }: CreateProjectDialogProps) {
  const { t } = useTranslation('home');
  const [valid, setValid] = useState(false);
  const [busy, setBusy] = useState(false);
  const created = (name: string) => {
    onClose();
    onCreated(name);
  };
  return (
    <Dialog
      open
      title={t('create')}
      locked={busy}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t('common:cancel')}
          </Button>
          <Button kind="solid" type="submit" form={FORM} busy={busy} disabled={tab === 'import' && !valid}>
            {t(tab === 'new' ? 'create' : 'import')}
          </Button>
        </>
      }
    >
      <Tabs
        label={t('create')}
        value={tab}
        onChange={(next) => {
          setValid(false);
          onTab(next);
        }}
        items={[
          { value: 'new', label: t('tab.new'), disabled: busy },
          { value: 'import', label: t('tab.import'), disabled: busy },
        ]}
      />
      <TabPanel value={tab}>
        {tab === 'new' ? (
          <NewProjectTab onValid={setValid} onBusy={setBusy} onCreated={created} />
        ) : (
          <ImportProjectTab onValid={setValid} onBusy={setBusy} onCreated={created} />
        )}
      </TabPanel>
    </Dialog>
  );
}
