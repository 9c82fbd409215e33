import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/api/errors';
import { apiKeysQuery, createApiKey, KEY_HEADER, type NewApiKey } from '@/api/resources/api-keys';
import { projectsQuery } from '@/api/resources/projects';
import { Button } from '@/ui/button';
import { CheckList } from '@/ui/check-list';
import { SelectInput } from '@/ui/choice-inputs';
import { CopyButton } from '@/ui/copy-button';
import { Dialog } from '@/ui/dialog';
import { FormDialog } from '@/ui/form-dialog';
import { TextInput } from '@/ui/field';
import { Notice } from '@/ui/notice';
import { useSessionStore } from '@/state/session-store';
import {
  DAYS,
  apiKeyDraftErrors,
  KEY_ACCESS_LEVELS,
  NEW_KEY,
  offeredPermissions,
  toApiKeyRequest,
  type ApiKeyDraftErrors,
  type ApiKeyDraft,
} from './api-key-draft';
import styles from './profile.module.css';

interface PartProps {
  readonly draft: ApiKeyDraft;
  readonly errors: ApiKeyDraftErrors;
  readonly rejected: Readonly<Record<string, string>>;
  readonly onChange: (part: Partial<ApiKeyDraft>) => void;
}

interface ExtentSelectProps<Extent extends string> {
  /** Of its texts. */
  readonly name: 'projects' | 'permissions';
  readonly value: Extent;
  readonly values: readonly Extent[];
  readonly onChange: (value: Extent) => void;
}

/** How much of something the key reaches. */
function ExtentSelect<Extent extends string>({ name, value, values, onChange }: ExtentSelectProps<Extent>) {
  const { t } = useTranslation('profile');
  const options = values.map((one) => ({ value: one, label: t(`keys.dialog.${name}_${one}`) }));
  return <SelectInput label={t(`keys.dialog.${name}`)} value={value} options={options} onChange={onChange} />;
}

function ProjectFields({ draft, errors, rejected, onChange }: PartProps) {
  const { t } = useTranslation('profile');
  const { data: projects = [] } = useQuery({ ...projectsQuery(), meta: { silent: true } });
  return (
    <>
      <ExtentSelect
        name="projects"
        value={draft.where}
        values={['all', 'chosen', 'pattern'] as const}
        onChange={(where) => onChange({ where })}
      />
      {draft.where === 'chosen' && (
        <CheckList
          label={t('keys.dialog.chosen')}
          items={projects.map(({ name, label }) => ({ value: name, label, ...(label !== name && { help: name }) }))}
          selected={draft.projects}
          error={errors.projects === undefined ? rejected['projectFilter'] : t(`keys.dialog.${errors.projects}`)}
          onChange={(chosen) => onChange({ projects: chosen })}
        />
      )}
      {draft.where === 'pattern' && (
        <TextInput
          label={t('keys.dialog.pattern')}
          help={t('keys.dialog.patternHelp')}
          value={draft.pattern}
          maxLength={200}
          autoComplete="off"
          error={errors.pattern === undefined ? rejected['projectFilter'] : t(`keys.dialog.${errors.pattern}`)}
          onChange={(pattern) => onChange({ pattern })}
        />
      )}
    </>
  );
}

function PermissionFields({ draft, errors, rejected, onChange }: PartProps) {
  const { t } = useTranslation('profile');
  const held = useSessionStore((state) => state.permissions);
  return (
    <>
      <ExtentSelect
        name="permissions"
        value={draft.which}
        values={['all', 'none', 'chosen'] as const}
        onChange={(which) => onChange({ which })}
      />
      {draft.which === 'chosen' && (
        <CheckList
          label={t('keys.dialog.permissionList')}
          items={offeredPermissions(held).map((value) => ({ value, label: value }))}
          selected={draft.permissions}
          error={errors.permissions === undefined ? rejected['permissions'] : t(`keys.dialog.${errors.permissions}`)}
          onChange={(permissions) => onChange({ permissions })}
        />
      )}
    </>
  );
}

/** Shows the key once. Only the button closes, as the key cannot be shown again. */
function ShowNewKeyDialog({ made, onClose }: { readonly made: NewApiKey; readonly onClose: () => void }) {
  const { t } = useTranslation('profile');
  return (
    <Dialog
      open
      locked
      title={t('keys.dialog.shownTitle', { name: made.label })}
      onClose={onClose}
      actions={
        <Button kind="solid" onClick={onClose}>
          {t('keys.dialog.done')}
        </Button>
      }
    >
      <div className={styles['form']}>
        <Notice tone="warning" role="alert">
          {t('keys.dialog.shownText')}
        </Notice>
        <div className={styles['secret']}>
          <code aria-label={t('keys.dialog.key')}>{made.key}</code>
          <CopyButton text={made.key} label={t('keys.dialog.copy')} />
        </div>
        <p>{t('keys.dialog.shownHow', { header: KEY_HEADER })}</p>
      </div>
    </Dialog>
  );
}

const fieldErrorsFromServer = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof ApiError ? Object.fromEntries(error.fields.map(({ field, message }) => [field, message])) : {};

/** Name, restrictions and expiry of a new key; then shows the key once. */
export function CreateApiKeyDialog({ username, onClose }: { readonly username: string; readonly onClose: () => void }) {
  const { t } = useTranslation('profile');
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(NEW_KEY);
  const [tried, setTried] = useState(false);
  const create = useMutation({
    mutationFn: () => createApiKey(username, toApiKeyRequest(draft)),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: apiKeysQuery(username).queryKey }),
    meta: { errorTitle: 'createKey' },
  });
  const found = apiKeyDraftErrors(draft);
  const errors = tried ? found : {};
  const refused = fieldErrorsFromServer(create.error);
  const change = (part: Partial<ApiKeyDraft>) => setDraft((before) => ({ ...before, ...part }));
  const submit = () => {
    setTried(true);
    if (Object.keys(found).length === 0) create.mutate();
  };
  if (create.data !== undefined) return <ShowNewKeyDialog made={create.data} onClose={onClose} />;
  return (
    <FormDialog
      title={t('keys.dialog.title')}
      onClose={onClose}
      onSubmit={submit}
      submitLabel={t('keys.dialog.do')}
      busy={create.isPending}
    >
      <div className={styles['form']}>
        <TextInput
          autoFocus
          required
          label={t('keys.dialog.label')}
          help={t('keys.dialog.labelHelp')}
          value={draft.label}
          maxLength={100}
          autoComplete="off"
          error={errors.label === undefined ? refused['label'] : t(`keys.dialog.${errors.label}`)}
          onChange={(label) => change({ label })}
        />
        <SelectInput
          label={t('keys.dialog.may')}
          help={t(`keys.dialog.mayHelp.${draft.may}`)}
          value={draft.may}
          options={KEY_ACCESS_LEVELS.map((value) => ({ value, label: t(`keys.limit.${value}`) }))}
          onChange={(may) => change({ may })}
        />
        <ProjectFields draft={draft} errors={errors} rejected={refused} onChange={change} />
        <PermissionFields draft={draft} errors={errors} rejected={refused} onChange={change} />
        <SelectInput
          label={t('keys.dialog.expires')}
          value={draft.days}
          options={DAYS.map((value) => ({ value, label: t(`keys.dialog.expires_${value}`) }))}
          error={refused['expiresAt']}
          onChange={(days) => change({ days })}
        />
      </div>
    </FormDialog>
  );
}
