/** The permissions of a role, grouped as in S-069: `see*`, one group per component kind, the rest. */
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { CheckRow } from '@/ui/choice-inputs';
import { TextInput } from '@/ui/field';
import { groupPermissions, type PermissionGroup } from '@/state/permission-display-groups';
import { foldCaseAndAccents } from '@/text/fold-accents';
import styles from './admin.module.css';
import { usePermissionTexts } from './permission-texts';

interface PermissionBoxesProps {
  readonly offered: readonly string[];
  readonly held: readonly string[];
  readonly readOnly: boolean;
  readonly onChange: (held: readonly string[]) => void;
}

interface GroupProps {
  readonly group: PermissionGroup;
  readonly all: readonly string[];
  readonly open: boolean;
  readonly props: PermissionBoxesProps;
}

/** `family:*` covers the permissions of its family. */
const isCoveredByWildcard = (permission: string, held: readonly string[]): boolean =>
  permission.includes(':') && !permission.endsWith(':*') && held.includes(`${permission.split(':')[0] ?? ''}:*`);

function PermissionGroupCheckboxes({ group, all, open, props }: GroupProps) {
  const { t } = useTranslation(['admin', 'profile']);
  const words = usePermissionTexts();
  const { held, readOnly, onChange } = props;
  const title = t([`admin:role.group_${group.name}`, `profile:rights.group.${group.name}`], {
    defaultValue: t('profile:rights.component', { kind: group.name.slice(3) }),
  });
  const count = all.filter((permission) => held.includes(permission)).length;
  const every = count === all.length;
  const [shown, setShown] = useState(false);
  return (
    <details className={styles['permissions']} open={open || shown} onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>
        {title}
        <Badge tone={count > 0 ? 'primary' : 'neutral'}>{t('of', { count, all: all.length })}</Badge>
      </summary>
      {!readOnly && (
        <Button
          small
          kind="quiet"
          onClick={() => onChange(every ? held.filter((one) => !all.includes(one)) : [...new Set([...held, ...all])])}
        >
          {t(every ? 'role.noneOf' : 'role.allOf')}
        </Button>
      )}
      <div className={styles['boxes']}>
        {group.permissions.map((permission) => (
          <CheckRow
            key={permission}
            label={words(permission)}
            {...(words(permission) === permission ? {} : { help: <code>{permission}</code> })}
            checked={held.includes(permission) || isCoveredByWildcard(permission, held)}
            disabled={readOnly || isCoveredByWildcard(permission, held)}
            onChange={(on) => onChange(on ? [...held, permission] : held.filter((one) => one !== permission))}
          />
        ))}
      </div>
    </details>
  );
}

export function PermissionCheckboxes(props: PermissionBoxesProps) {
  const { t } = useTranslation('admin');
  const words = usePermissionTexts();
  const [typed, setTyped] = useState('');
  const wanted = foldCaseAndAccents(typed.trim());
  const found = props.offered.filter((permission) => foldCaseAndAccents(`${words(permission)} ${permission}`).includes(wanted));
  const whole = new Map(groupPermissions(props.offered).map((group) => [group.name, group.permissions]));
  const groups = groupPermissions(found);
  return (
    <fieldset className={styles['choice']}>
      <legend>
        {t('role.permissions')} <span>{t('chosen', { count: props.held.length })}</span>
      </legend>
      <TextInput
        hideLabel
        label={t('filter', { what: t('role.permissions') })}
        placeholder={t('filterPlaceholder')}
        start={<Search size={14} aria-hidden />}
        value={typed}
        onChange={setTyped}
      />
      {groups.map((group) => (
        <PermissionGroupCheckboxes key={group.name} group={group} all={whole.get(group.name) ?? []} open={wanted !== ''} props={props} />
      ))}
      {groups.length === 0 && <p>{t('common:nothingMatches')}</p>}
    </fieldset>
  );
}
