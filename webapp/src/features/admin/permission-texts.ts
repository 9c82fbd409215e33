/** Descriptions of permissions; those of single components and projects keep their technical name. */
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

export function usePermissionTexts(): (permission: string) => string {
  const { t } = useTranslation('admin');
  return useCallback(
    (permission: string) => {
      const [family = '', name] = permission.split(/:(.*)/su);
      if (name === undefined) return t(`permission.${family}`, { defaultValue: permission });
      if (family === 'readModeAnnot') return t(`permission.readModeAnnot_${name}`, { defaultValue: permission });
      return name === '*' ? t(`permission.${family}`, { defaultValue: permission }) : permission;
    },
    [t],
  );
}
