import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { groupsQuery } from '@/api/resources/groups';
import { createRole, permissionsQuery, roleKeys, updateRole, type Role } from '@/api/resources/roles';
import { Button } from '@/ui/button';
import { SegmentedControl, SelectInput, SwitchRow } from '@/ui/choice-inputs';
import { Dialog } from '@/ui/dialog';
import { TextInput } from '@/ui/field';
import { useRoleTexts } from '@/ui/role-texts';
import { can } from '@/state/permissions';
import { notify } from '@/state/notifications-store';
import { useCan, useSessionStore } from '@/state/session-store';
import { FormDialog, fieldErrorsFromServer } from './form-dialog';
import { PermissionTable } from './permission-table';
import { toRoleDraft, offeredPermissions, type RoleDraft, type RoleDialogMode } from './role-draft';

interface RoleDialogProps {
  readonly mode: RoleDialogMode;
  readonly role?: Role;
  readonly onClose: () => void;
}

interface KindProps {
  readonly draft: RoleDraft;
  readonly rejected: Readonly<Record<string, string>>;
  readonly onChange: (part: Partial<RoleDraft>) => void;
}

/** Type, group and restriction can only be set on creation. */
function RoleTypeFields({ draft, rejected, onChange }: KindProps) {
  const { t } = useTranslation('admin');
  const platform = useCan('platformUserAdministrator');
  const permissions = useSessionStore((state) => state.permissions);
  const { data: groups = [] } = useQuery(groupsQuery());
  const own = groups.filter(({ name }) => can(permissions, `writeGroup:${name}`));
  return (
    <>
      <SelectInput
        label={t('role.group')}
        help={t('role.groupHelp')}
        value={draft.group === '' ? '*' : draft.group}
        options={[
          ...(platform ? [{ value: '*', label: t('role.everyGroup') }] : []),
          ...own.map(({ name, label }) => ({ value: name, label })),
        ]}
        error={rejected['groupName']}
        onChange={(group) => onChange({ group: group === '*' ? '' : group })}
      />
      {platform && (
        <>
          <SegmentedControl
            label={t('role.type')}
            value={draft.type}
            options={(['functional', 'system'] as const).map((value) => ({ value, label: t(`role.type_${value}`) }))}
            onChange={(type) => onChange({ type })}
          />
          <SwitchRow
            label={t('role.restricted')}
            help={t('role.restrictedHelp')}
            checked={draft.restricted}
            onChange={(restricted) => onChange({ restricted })}
          />
        </>
      )}
    </>
  );
}

/** Built-in roles are read-only, but can be copied. */
function ViewRoleDialog({
  title,
  held,
  onClose,
}: {
  readonly title: string;
  readonly held: readonly string[];
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('admin');
  return (
    <Dialog open title={title} onClose={onClose} actions={<Button onClick={onClose}>{t('common:close')}</Button>}>
      <div style={{ display: 'grid', gap: 16 }}>
        <p>{t('role.fixed')}</p>
        <PermissionTable readOnly offered={[...held].sort()} held={held} onChange={() => undefined} />
      </div>
    </Dialog>
  );
}

function useSaveRole({ mode, role, onClose }: RoleDialogProps, draft: RoleDraft) {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  const label = draft.label.trim();
  return useMutation<unknown, Error, void>({
    mutationFn: () => {
      const shared = { label, description: draft.description.trim(), permissions: [...draft.permissions] };
      if (mode === 'edit' && role !== undefined) return updateRole(role.rolename, shared);
      return createRole({ ...shared, type: draft.type, ...(draft.group !== '' && { groupName: draft.group }) }, draft.restricted);
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: roleKeys.all });
      notify({ type: 'success', message: t(mode === 'edit' ? 'role.saved' : 'role.added', { name: label }) });
      onClose();
    },
    meta: { errorTitle: 'role' },
  });
}

/** S-069, T-044 */
export function RoleDialog(props: RoleDialogProps) {
  const { mode, role, onClose } = props;
  const { t } = useTranslation('admin');
  const words = useRoleTexts()(role ?? { rolename: '', label: '' });
  const first = { ...words, ...(mode === 'clone' && { label: t('role.copyOf', { name: words.label }) }) };
  const [before] = useState(() => toRoleDraft(role, mode, first));
  const [draft, setDraft] = useState(before);
  const [tried, setTried] = useState(false);
  const { data: all = [] } = useQuery(permissionsQuery());
  const save = useSaveRole(props, draft);
  const refused = fieldErrorsFromServer(save.error);
  const change = (part: Partial<RoleDraft>) => setDraft((known) => ({ ...known, ...part }));
  if (mode === 'look') return <ViewRoleDialog title={words.label} held={draft.permissions} onClose={onClose} />;
  const unnamed = draft.label.trim() === '';
  const title = mode === 'edit' ? t('role.editTitle', { name: words.label }) : t('role.addTitle');
  return (
    <FormDialog
      title={title}
      verb={t(mode === 'edit' ? 'save' : 'role.add')}
      busy={save.isPending}
      idle={mode === 'edit' && draft === before}
      onClose={onClose}
      onSubmit={() => {
        setTried(true);
        if (!unnamed) save.mutate();
      }}
    >
      <TextInput
        autoFocus
        required
        label={t('role.name')}
        value={draft.label}
        maxLength={255}
        error={tried && unnamed ? t('role.nameMissing') : refused['label']}
        onChange={(label) => change({ label })}
      />
      <TextInput label={t('role.description')} rows={2} value={draft.description} onChange={(description) => change({ description })} />
      {mode !== 'edit' && <RoleTypeFields draft={draft} rejected={refused} onChange={change} />}
      <PermissionTable
        readOnly={false}
        offered={offeredPermissions(all, draft.permissions)}
        held={draft.permissions}
        onChange={(permissions) => change({ permissions })}
      />
    </FormDialog>
  );
}
