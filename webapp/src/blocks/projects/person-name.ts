import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { FormatPersonName } from '@/annotation/strings';
import { peopleQuery } from '@/api/resources/archives-and-shares';
import { formatWhenInSentence } from '@/ui/format';

/** In metrics and lists: prefix of an author named by a file or an archive, who has no account. */
const IMPORTED = 'imported:';

/** Returns the display name of a username. People unknown to the user keep the username, and so do models. */
export function usePersonName(): FormatPersonName {
  const { t, i18n } = useTranslation('common');
  const { language } = i18n;
  const { data } = useQuery(peopleQuery());
  return useCallback(
    (username, brought) => {
      const called = (name: string) => data?.find((one) => one.username === name)?.profilename ?? name;
      if (username.startsWith(IMPORTED)) return t('author.imported', { name: username.slice(IMPORTED.length) });
      if (brought?.importedBy === undefined || brought.importedBy === null) return called(username);
      // An account of the same name is unrelated: the name is shown as it was imported.
      return t('author.broughtIn', {
        name: username,
        who: called(brought.importedBy),
        when: formatWhenInSentence(brought.importedDate ?? '', language),
      });
    },
    [data, language, t],
  );
}
