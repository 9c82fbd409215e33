/** How the models of the project are tested, with the numbers, and what can be done about it. */
import { useQuery } from '@tanstack/react-query';
import { Split as SplitIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { measurementForecastQuery, splitQuery, type Split } from '@/api/resources/measurement';
import { projectQuery } from '@/api/resources/projects';
import { Button } from '@/ui/button';
import { useFormat } from '@/ui/format';
import { Notice } from '@/ui/notice';
import styles from './experiments.module.css';

interface BannerProps {
  readonly project: string;
  readonly writable: boolean;
  readonly onSplit: () => void;
}

/** Each training tests itself: on how many documents, and what a split would change. */
function NotSplit({ project, writable, onSplit }: BannerProps) {
  const { t } = useTranslation(['experiments', 'measurement']);
  const format = useFormat();
  const { data: forecast } = useQuery(measurementForecastQuery(project, ''));
  const drawn = forecast?.method === 'heldOut' || forecast?.method === 'crossValidation';
  const numbers = { train: format.number(forecast?.train ?? 0), test: format.number(forecast?.test ?? 0) };
  return (
    <Notice
      tone="info"
      icon={SplitIcon}
      action={
        writable && (
          <Button small onClick={onSplit}>
            {t('split.make')}
          </Button>
        )
      }
    >
      <strong>{t('split.none')}</strong>
      <p>
        {drawn && `${t(`split.each.${forecast.method}`, numbers)} `}
        {t('split.why')}
      </p>
    </Notice>
  );
}

function PresentSplit({ split, writable, onSplit }: Omit<BannerProps, 'project'> & { readonly split: Split }) {
  const { t } = useTranslation(['experiments', 'measurement']);
  const format = useFormat();
  const { train, test, neither } = split;
  return (
    <Notice
      tone="info"
      icon={SplitIcon}
      action={
        writable && (
          <Button small onClick={onSplit}>
            {t(neither > 0 ? 'split.add' : 'split.change', { count: neither })}
          </Button>
        )
      }
    >
      <strong>{t('split.sizes', { train: format.number(train), test: format.number(test) })}</strong>
      <p>
        {t('split.same')}
        {neither > 0 && ` ${t('measurement:split.neither', { count: neither, number: format.number(neither) })}`}
      </p>
    </Notice>
  );
}

export function SplitBanner({ project, writable, onSplit }: BannerProps) {
  const { data } = useQuery(projectQuery(project));
  const { data: split } = useQuery({ ...splitQuery(project), enabled: data?.hasSplit === true });
  if (data === undefined) return null;
  return (
    <div className={styles['split']}>
      {data.hasSplit !== true ? (
        <NotSplit project={project} writable={writable} onSplit={onSplit} />
      ) : (
        split !== undefined && <PresentSplit split={split} writable={writable} onSplit={onSplit} />
      )}
    </div>
  );
}
