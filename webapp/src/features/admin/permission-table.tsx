/** The permissions of a role as a table with search, in the groups of S-069: `see*`, one per component kind, the rest. */
import { Search } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { CheckBox, SegmentedControl } from '@/ui/choice-inputs';
import { TextInput } from '@/ui/field';
import { groupPermissions, type PermissionGroup } from '@/state/permission-display-groups';
import { foldCaseAndAccents } from '@/text/fold-accents';
import styles from './permission-table.module.css';
import { usePermissionTexts } from './permission-texts';

interface PermissionTableProps {
  readonly offered: readonly string[];
  readonly held: readonly string[];
  readonly readOnly: boolean;
  readonly onChange: (held: readonly string[]) => void;
}

/** `family:*` covers the permissions of its family. */
const isCoveredByWildcard = (permission: string, held: readonly string[]): boolean =>
  permission.includes(':') && !permission.endsWith(':*') && held.includes(`${permission.split(':')[0] ?? ''}:*`);

interface RowProps {
  readonly permission: string;
  readonly props: PermissionTableProps;
}

function PermissionRow({ permission, props: { held, readOnly, onChange } }: RowProps) {
  const id = useId();
  const words = usePermissionTexts();
  const covered = isCoveredByWildcard(permission, held);
  const text = words(permission);
  return (
    <tr>
      <td className={styles['check']}>
        <CheckBox
          id={id}
          checked={held.includes(permission) || covered}
          disabled={readOnly || covered}
          onChange={(on) => onChange(on ? [...held, permission] : held.filter((one) => one !== permission))}
        />
      </td>
      <td>
        <label htmlFor={id}>{text}</label>
      </td>
      <td>{text !== permission && <code>{permission}</code>}</td>
    </tr>
  );
}

interface GroupProps {
  readonly group: PermissionGroup;
  /** All of the group, also those that the search leaves out. */
  readonly all: readonly string[];
  readonly props: PermissionTableProps;
}

function PermissionGroupRows({ group, all, props }: GroupProps) {
  const { t } = useTranslation(['admin', 'profile']);
  const { held, readOnly, onChange } = props;
  const title = t([`admin:role.group_${group.name}`, `profile:rights.group.${group.name}`], {
    defaultValue: t('profile:rights.component', { kind: group.name.slice(3) }),
  });
  const count = all.filter((permission) => held.includes(permission)).length;
  const every = count === all.length;
  return (
    <tbody>
      <tr className={styles['group']}>
        <th colSpan={2} scope="rowgroup">
          {title} <Badge tone={count > 0 ? 'primary' : 'neutral'}>{t('of', { count, all: all.length })}</Badge>
        </th>
        <td>
          {!readOnly && (
            <Button
              small
              kind="quiet"
              onClick={() => onChange(every ? held.filter((one) => !all.includes(one)) : [...new Set([...held, ...all])])}
            >
              {t(every ? 'role.noneOf' : 'role.allOf')}
            </Button>
          )}
        </td>
      </tr>
      {group.permissions.map((permission) => (
        <PermissionRow key={permission} permission={permission} props={props} />
      ))}
    </tbody>
  );
}

type Shown = 'all' | 'given';

/** Search and choice of what the table shows. */
interface FilterProps {
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly shown: Shown;
  readonly onShow: (shown: Shown) => void;
  readonly given: number;
}

function PermissionFilter({ typed, onType, shown, onShow, given }: FilterProps) {
  const { t } = useTranslation('admin');
  return (
    <div className={styles['filter']}>
      <TextInput
        hideLabel
        label={t('filter', { what: t('role.permissions') })}
        placeholder={t('filterPlaceholder')}
        start={<Search size={14} aria-hidden />}
        value={typed}
        onChange={onType}
      />
      <SegmentedControl
        label={t('role.shown')}
        value={shown}
        onChange={onShow}
        options={[
          { value: 'all', label: t('role.shownAll') },
          { value: 'given', label: t('chosen', { count: given }) },
        ]}
      />
    </div>
  );
}

export function PermissionTable(props: PermissionTableProps) {
  const { t } = useTranslation('admin');
  const words = usePermissionTexts();
  const [typed, setTyped] = useState('');
  const [shown, setShown] = useState<Shown>('all');
  // As of the choice: what is taken away meanwhile stays in sight.
  const [given, setGiven] = useState<readonly string[]>([]);
  const wanted = foldCaseAndAccents(typed.trim());
  const found = props.offered
    .filter((permission) => shown === 'all' || given.includes(permission))
    .filter((permission) => foldCaseAndAccents(`${words(permission)} ${permission}`).includes(wanted));
  const whole = new Map(groupPermissions(props.offered).map((group) => [group.name, group.permissions]));
  const groups = groupPermissions(found);
  return (
    <fieldset className={styles['choice']}>
      <legend>{t('role.permissions')}</legend>
      <PermissionFilter
        {...{ typed, shown }}
        given={props.held.length}
        onType={setTyped}
        onShow={(next) => {
          setGiven(props.held);
          setShown(next);
        }}
      />
      <div className={styles['scroller']} tabIndex={0} role="region" aria-label={t('role.permissions')}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">{t('role.given')}</span>
              </th>
              <th scope="col">{t('role.permission')}</th>
              <th scope="col">{t('role.technicalName')}</th>
            </tr>
          </thead>
          {groups.map((group) => (
            <PermissionGroupRows key={group.name} group={group} all={whole.get(group.name) ?? []} props={props} />
          ))}
        </table>
        {groups.length === 0 && <p>{t('common:nothingMatches')}</p>}
      </div>
    </fieldset>
  );
}
