import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createProject, createProjectFromTemplate, LANGUAGES, NATURES } from '@/api/resources/projects';
import { CheckRow, SelectInput } from '@/ui/choice-inputs';
import { FormDialog } from '@/ui/form-dialog';
import { TextInput } from '@/ui/field';
import { ImagePicker, type ProjectImage } from '@/blocks/projects/image-picker';
import { TabPanel, Tabs } from '@/ui/tabs';
import { notify } from '@/state/notifications-store';
import { useSessionStore } from '@/state/session-store';
import { ImportProjectTab } from './import-project-tab';
import { FORM, GroupSelect, useProjectCreated, useUserGroups, type CreateProjectTabProps } from './project-form';
import { NatureCards } from './nature-cards';
import { defaultNature, MAX_PROJECT_NAME, nameError } from './project-name';
import { TemplateSelect } from './template-select';
import styles from './home.module.css';

export interface CreateProjectDialogProps {
  readonly tab: 'new' | 'import';
  readonly onTab: (tab: 'new' | 'import') => void;
  readonly onClose: () => void;
  /** Called with the name of the created or imported project. */
  readonly onCreated: (projectName: string) => void;
}

const NO_FEATURES: readonly string[] = [];

/** What is asked about a new project. */
interface ProjectDraft {
  readonly label: string;
  readonly description: string;
  readonly lang: string;
  readonly nature: string;
  readonly group: string;
  /** Name of the project whose labels, settings and plans are taken over; empty: none. */
  readonly template: string;
  /** The terms of its vocabularies too. */
  readonly withTerms: boolean;
}

function useCreateProject(onBusy: CreateProjectTabProps['onBusy'], onCreated: CreateProjectTabProps['onCreated']) {
  const { t } = useTranslation('home');
  const done = useProjectCreated(onCreated);
  return useMutation({
    mutationFn: async ({ draft, image }: { readonly draft: ProjectDraft; readonly image: ProjectImage }) => {
      const { label, description, lang, nature, group, template, withTerms } = draft;
      const body = { label: label.trim(), description: description.trim(), lang, nature, ...image };
      const groupName = group === '' ? undefined : group;
      if (template === '') return { ...(await createProject(body, groupName)), leftOutPlans: [] };
      return createProjectFromTemplate(template, body, groupName, withTerms);
    },
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
    onSuccess: ({ projectName, leftOutPlans = [] }) => {
      if (leftOutPlans.length > 0)
        notify({ type: 'info', message: t('template.leftOut', { count: leftOutPlans.length, names: leftOutPlans.join(', ') }) });
      return done(projectName);
    },
    meta: { errorTitle: 'createProject' },
  });
}

interface ProjectFieldsProps {
  readonly draft: ProjectDraft;
  readonly change: (part: Partial<ProjectDraft>) => void;
  readonly tried: boolean;
}

function ProjectFields({ draft, change, tried }: ProjectFieldsProps) {
  const { t } = useTranslation('home');
  const available = useSessionStore((state) => state.config.available?.natures) ?? NATURES;
  const features = useSessionStore((state) => state.config.available?.features) ?? NO_FEATURES;
  const wrong = nameError(draft.label);
  return (
    <>
      <TextInput
        autoFocus
        required
        label={t('field.label')}
        value={draft.label}
        onChange={(label) => change({ label })}
        help={t('field.labelHelp', { max: MAX_PROJECT_NAME })}
        error={tried && wrong !== null ? t(`name.${wrong}`, { max: MAX_PROJECT_NAME }) : undefined}
      />
      <TemplateSelect
        value={draft.template}
        onChange={(template) =>
          change(
            template === undefined
              ? { template: '' }
              : { template: template.name, nature: template.nature ?? draft.nature, lang: template.lang },
          )
        }
      />
      {draft.template !== '' && draft.nature === 'sequence_labelling' && (
        <CheckRow label={t('template.withTerms')} checked={draft.withTerms} onChange={(withTerms) => change({ withTerms })} />
      )}
      {draft.template === '' && <NatureCards {...{ available, features }} value={draft.nature} onChange={(nature) => change({ nature })} />}
      <SelectInput
        label={t('field.language')}
        value={draft.lang}
        onChange={(lang) => change({ lang })}
        options={LANGUAGES.map((value) => ({ value, label: t(`language.${value}`) }))}
      />
      <GroupSelect value={draft.group} onChange={(group) => change({ group })} tried={tried} />
      <TextInput label={t('field.description')} rows={2} value={draft.description} onChange={(description) => change({ description })} />
    </>
  );
}

function NewProjectTab({ onBusy, onCreated }: CreateProjectTabProps) {
  const config = useSessionStore((state) => state.config);
  const groups = useUserGroups();
  const [draft, setDraft] = useState<ProjectDraft>(() => ({
    ...{ label: '', description: '', lang: 'en', group: '', template: '', withTerms: true },
    nature: defaultNature(config.available?.natures ?? NATURES, config.available?.features),
  }));
  const [image, setImage] = useState<ProjectImage>({});
  const [imageComplete, setImageComplete] = useState(true);
  const [tried, setTried] = useState(false);
  const create = useCreateProject(onBusy, onCreated);
  return (
    <form
      id={FORM}
      noValidate
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (nameError(draft.label) === null && imageComplete && (groups.length < 2 || draft.group !== '')) create.mutate({ draft, image });
      }}
    >
      <ProjectFields draft={draft} change={(part) => setDraft((known) => ({ ...known, ...part }))} tried={tried} />
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
