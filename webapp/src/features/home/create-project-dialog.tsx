import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createProject, LANGUAGES, NATURES } from '@/api/resources/projects';
import { SelectInput } from '@/ui/choice-inputs';
import { FormDialog } from '@/ui/form-dialog';
import { TextInput } from '@/ui/field';
import { ImagePicker, type ProjectImage } from '@/blocks/projects/image-picker';
import { TabPanel, Tabs } from '@/ui/tabs';
import { useSessionStore } from '@/state/session-store';
import { ImportProjectTab } from './import-project-tab';
import { FORM, GroupSelect, useProjectCreated, useUserGroups, type CreateProjectTabProps } from './project-form';
import { NatureCards } from './nature-cards';
import { defaultNature, MAX_PROJECT_NAME, nameError } from './project-name';
import styles from './home.module.css';

export interface CreateProjectDialogProps {
  readonly tab: 'new' | 'import';
  readonly onTab: (tab: 'new' | 'import') => void;
  readonly onClose: () => void;
  /** Called with the name of the created or imported project. */
  readonly onCreated: (projectName: string) => void;
}

const NO_FEATURES: readonly string[] = [];

function NewProjectTab({ onBusy, onCreated }: CreateProjectTabProps) {
  const { t } = useTranslation('home');
  const available = useSessionStore((state) => state.config.available?.natures) ?? NATURES;
  const features = useSessionStore((state) => state.config.available?.features) ?? NO_FEATURES;
  const groups = useUserGroups();
  const [label, setLabel] = useState('');
  const [description, setDescription] = useState('');
  const [lang, setLang] = useState<string>('en');
  const [nature, setNature] = useState(defaultNature(available, features));
  const [group, setGroup] = useState('');
  const [image, setImage] = useState<ProjectImage>({});
  const [imageComplete, setImageComplete] = useState(true);
  const [tried, setTried] = useState(false);
  const done = useProjectCreated(onCreated);
  const wrong = nameError(label);
  const create = useMutation({
    mutationFn: () =>
      createProject({ label: label.trim(), description: description.trim(), lang, nature, ...image }, group === '' ? undefined : group),
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
        if (wrong === null && imageComplete && (groups.length < 2 || group !== '')) create.mutate();
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
      <NatureCards available={available} features={features} value={nature} onChange={setNature} />
      <SelectInput
        label={t('field.language')}
        value={lang}
        onChange={setLang}
        options={LANGUAGES.map((value) => ({ value, label: t(`language.${value}`) }))}
      />
      <GroupSelect value={group} onChange={setGroup} tried={tried} />
      <TextInput label={t('field.description')} rows={2} value={description} onChange={setDescription} />
      <ImagePicker value={image} onChange={setImage} onComplete={setImageComplete} tried={tried} />
    </form>
  );
}

/** D-001: submits the active tab; closes only when the project exists (T-008, T-009). */
export function CreateProjectDialog({ tab, onTab, onClose, onCreated }: CreateProjectDialogProps) {
  const { t } = useTranslation('home');
  const [valid, setValid] = useState(false);
  const [busy, setBusy] = useState(false);
  const created = (name: string) => {
    onClose();
    onCreated(name);
  };
  return (
    <FormDialog
      title={t('create')}
      onClose={onClose}
      submitLabel={t(tab === 'new' ? 'create' : 'import')}
      busy={busy}
      disabled={tab === 'import' && !valid}
      form={FORM}
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
    </FormDialog>
  );
}
