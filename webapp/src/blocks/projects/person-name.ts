import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { FormatPersonName } from '@/annotation/strings';
import { peopleQuery } from '@/api/resources/archives-and-shares';
import { formatWhenInSentence } from '@/ui/format';

/** In figures and lists: the author that a file or an archive names, who is no account. */
const IMPORTED = 'imported:';

/** What somebody is called, by username. Whom the reader may not know of keeps the username, and so do models. */
export function usePersonName(): FormatPersonName {
  const { t, i18n } = useTranslation('common');
  const { language } = i18n;
  const { data } = useQuery(peopleQuery());
  return useCallback(
    (username, brought) => {
      const called = (name: string) => data?.find((one) => one.username === name)?.profilename ?? name;
      if (username.startsWith(IMPORTED)) return t('author.imported', { name: username.slice(IMPORTED.length) });
      if (brought?.importedBy === undefined || brought.importedBy === null) return called(username);
      // An account of that name, if there is one, has nothing to do with it: the name stays as it was written.
      return t('author.broughtIn', {
        name: username,
        who: called(brought.importedBy),
        when: formatWhenInSentence(brought.importedDate ?? '', language),
      });
    },
    [data, language, t],
  );
}
