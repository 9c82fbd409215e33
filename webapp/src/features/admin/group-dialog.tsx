import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createGroup, groupKeys, updateGroup, type Group } from '@/api/resources/groups';
import { rolesQuery, type Role } from '@/api/resources/roles';
import { SwitchRow } from '@/ui/choice-inputs';
import { TextInput } from '@/ui/field';
import { useRoleTexts } from '@/ui/role-texts';
import { notify } from '@/state/notifications-store';
import { useCan } from '@/state/session-store';
import styles from './admin.module.css';
import { CheckList } from '@/ui/check-list';
import { FormDialog, fieldErrorsFromServer } from './form-dialog';
import { changedGroupFields, groupCreationBody, toGroupDraft, LIMITS, groupDraftErrors, type GroupDraft } from './group-draft';
import { ProjectList } from './project-list';

interface GroupDialogProps {
  /** Absent: a new group. */
  readonly group?: Group;
  readonly onClose: () => void;
}

interface PartProps {
  readonly draft: GroupDraft;
  readonly rejected: Readonly<Record<string, string>>;
  readonly onChange: (part: Partial<GroupDraft>) => void;
}

/** Limits and the link to the identity provider: platform administrators only. */
function PlatformFields({ draft, rejected, wrong, onChange }: PartProps & { readonly wrong: ReturnType<typeof groupDraftErrors> }) {
  const { t } = useTranslation('admin');
  const may = useCan('mayWriteAnyGroup');
  return (
    <>
      <SwitchRow
        label={t('group.loginAllowed')}
        help={t('group.loginHelp')}
        checked={draft.loginAllowed}
        disabled={!may}
        onChange={(loginAllowed) => onChange({ loginAllowed })}
      />
      <fieldset className={styles['limits']} aria-describedby="group-limits-help">
        <legend>{t('group.limits')}</legend>
        {LIMITS.map((name) => (
          <TextInput
            key={name}
            label={t(`group.${name}`)}
            value={draft[name]}
            placeholder={t('unlimited')}
            maxLength={9}
            disabled={!may}
            error={wrong[name] === undefined ? rejected[name] : t(wrong[name])}
            onChange={(text) => onChange({ [name]: text })}
          />
        ))}
        <p id="group-limits-help">{t('group.limitsHelp')}</p>
      </fieldset>
      <TextInput
        label={t('group.identifier')}
        help={t('group.identifierHelp')}
        value={draft.identifier}
        maxLength={255}
        disabled={!may}
        error={rejected['identifier']}
        onChange={(identifier) => onChange({ identifier })}
      />
    </>
  );
}

/** Roles for new users; roles of another group cannot be assigned to members of this one. */
function NewUserRolesFields({ group, draft, rejected, onChange }: PartProps & { readonly group: Group | undefined }) {
  const { t } = useTranslation('admin');
  const words = useRoleTexts();
  const may = useCan('mayWriteAnyGroup');
  const { data: roles = [] } = useQuery(rolesQuery());
  const items = (type: string) =>
    roles
      .filter(
        (role: Role) =>
          (role.type === 'system') === (type === 'system') && (role.groupName === undefined || role.groupName === group?.name),
      )
      .map((role) => ({ value: role.rolename, label: words(role).label, help: words(role).description }));
  return (
    <>
      <CheckList
        label={t('group.attachedRoles')}
        items={items('functional')}
        selected={draft.attachedRoles}
        error={rejected['attachedRoles']}
        onChange={(attachedRoles) => onChange({ attachedRoles })}
      />
      <CheckList
        label={t('group.systemAttachedRoles')}
        items={items('system')}
        selected={draft.systemAttachedRoles}
        disabled={!may}
        help={t('group.attachedHelp')}
        onChange={(systemAttachedRoles) => onChange({ systemAttachedRoles })}
      />
    </>
  );
}

/** S-067: name, limits, sign-in, roles for new users, identity provider; the group's projects. */
export function GroupDialog({ group, onClose }: GroupDialogProps) {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  const [before] = useState(() => toGroupDraft(group));
  const [draft, setDraft] = useState(before);
  const [tried, setTried] = useState(false);
  const wrong = groupDraftErrors(draft);
  const change = changedGroupFields(before, draft);
  const save = useMutation<unknown, Error, void>({
    mutationFn: () => (group === undefined ? createGroup(groupCreationBody(draft)) : updateGroup(group.name, change)),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: groupKeys.all });
      notify({ type: 'success', message: t(group === undefined ? 'group.added' : 'group.saved', { name: draft.label.trim() }) });
      onClose();
    },
    meta: { errorTitle: 'group' },
  });
  const rejected = fieldErrorsFromServer(save.error);
  const changeDraft = (part: Partial<GroupDraft>) => setDraft((known) => ({ ...known, ...part }));
  const parts = { draft, rejected, onChange: changeDraft };
  return (
    <FormDialog
      title={group === undefined ? t('group.addTitle') : t('group.editTitle', { name: group.label })}
      verb={t(group === undefined ? 'group.add' : 'save')}
      busy={save.isPending}
      idle={group !== undefined && Object.keys(change).length === 0}
      onClose={onClose}
      onSubmit={() => {
        setTried(true);
        if (Object.keys(wrong).length === 0) save.mutate();
      }}
    >
      <TextInput
        autoFocus
        required
        label={t('group.name')}
        value={draft.label}
        maxLength={255}
        error={tried && wrong.label !== undefined ? t(wrong.label) : rejected['label']}
        onChange={(label) => changeDraft({ label })}
      />
      <PlatformFields {...parts} wrong={tried ? wrong : {}} />
      <NewUserRolesFields {...parts} group={group} />
      {group !== undefined && <ProjectList whose={{ groupName: group.name }} />}
    </FormDialog>
  );
}
