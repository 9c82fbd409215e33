/** Names of roles: built-in ones in the language of the web app, others as entered. */
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

interface Named {
  readonly rolename: string;
  readonly label?: string;
  readonly description?: string;
}

export interface RoleTexts {
  readonly label: string;
  readonly description: string;
}

export function useRoleTexts(): (role: Named) => RoleTexts {
  const { t } = useTranslation('roles');
  return useCallback(
    ({ rolename, label = rolename, description = '' }: Named) => ({
      label: t(`${rolename}.label`, { defaultValue: label }),
      description: t(`${rolename}.description`, { defaultValue: description }),
    }),
    [t],
  );
}
