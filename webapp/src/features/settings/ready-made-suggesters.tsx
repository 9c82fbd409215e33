import { Check, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { UnavailableEngine } from '@/api/resources/components';
import { findCreatedFromPredefined } from '@/api/resources/predefined';
import { usePredefinedComponents } from '@/blocks/engines/use-predefined-components';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { UnavailableNotice } from './unavailable-notice';
import styles from './settings.module.css';

interface Props {
  readonly project: string;
  readonly writable: boolean;
  /** Engines that this server is not set up for. */
  readonly missing: readonly UnavailableEngine[];
  readonly onCreated: (name: string) => void;
}

/** C-075: suggesters with their labels, to be added by one click. */
export function ReadyMadeSuggesters({ project, writable, missing, onCreated }: Props) {
  const { t } = useTranslation(['settings', 'predefined']);
  const { spans, predefined, suggesters, lacked, words, install, create } = usePredefinedComponents(project);
  const rows = predefined.filter(({ type }) => type === 'suggester');
  if (!spans || rows.length === 0) return null;
  // One notice for all that need the same engine, and a line at what lacks something else.
  const missed = new Set(missing.map(({ name }) => name));
  return (
    <section className={styles['card']}>
      <h2>{t('readyMade.title')}</h2>
      <p>{t('readyMade.text')}</p>
      {missing.map((engine) => (
        <UnavailableNotice key={engine.name} engine={engine} />
      ))}
      <ul className={styles['ready-made']}>
        {rows.map((made) => {
          const there = findCreatedFromPredefined(suggesters, made.key);
          const title = there?.label ?? words.predefined(made);
          const needs = lacked?.[made.key];
          const other = needs?.find((name) => !missed.has(name));
          return (
            <li key={made.key}>
              <div>
                <h3>{title}</h3>
                <p>{t(`predefined:made.${made.key}.text`, { defaultValue: '' })}</p>
                {there === undefined && other !== undefined && <p>{t('predefined:lacks', { install: install(other) })}</p>}
              </div>
              {there === undefined ? (
                <Button
                  icon={Plus}
                  aria-label={t('predefined:createOne', { title })}
                  disabled={!writable || needs?.length !== 0 || create.isPending}
                  busy={create.isPending && create.variables.key === made.key}
                  onClick={() => create.mutate(made, { onSuccess: onCreated })}
                >
                  {t('predefined:create')}
                </Button>
              ) : (
                <Badge tone="success" icon={Check}>
                  {t('predefined:there')}
                </Badge>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
