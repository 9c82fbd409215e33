import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { endOtherSignIns, endSignIn, signInsQuery, type SignIn } from '@/api/resources/users';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { useFormat } from '@/ui/format';
import { Skeleton } from '@/ui/placeholder-states';
import { ErrorState } from '@/blocks/error-state';
import { describeUserAgent } from './user-agent';
import lines from '@/ui/list-lines.module.css';
import styles from './profile.module.css';

/** Active sessions of the user, which can be ended here. */
export function SignInsCard({ username }: { readonly username: string }) {
  const { t } = useTranslation('profile');
  const queryClient = useQueryClient();
  const query = signInsQuery(username);
  const { data, error, refetch } = useQuery(query);
  const settled = { onSettled: () => queryClient.invalidateQueries({ queryKey: query.queryKey }), meta: { errorTitle: 'updateProfile' } };
  const end = useMutation({ mutationFn: (one: SignIn) => endSignIn(username, one.identifier), ...settled });
  const endOthers = useMutation({ mutationFn: () => endOtherSignIns(username), ...settled });
  const others = data?.some((one) => !one.current) === true;
  return (
    <section className={styles['card']}>
      <div className={styles['card-head']}>
        <h2>{t('signIns.title')}</h2>
        {others && (
          <Button small busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {t('signIns.endOthers')}
          </Button>
        )}
      </div>
      {error !== null && data === undefined && (
        <ErrorState title={t('errors:error.getProfile')} error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton rows={2} rowHeight={40} />}
      {data !== undefined && (
        <ul className={lines['lines']} aria-label={t('signIns.title')}>
          {data.map((one) => (
            <SignInLine key={one.identifier} one={one} busy={end.isPending && end.variables === one} onEnd={() => end.mutate(one)} />
          ))}
        </ul>
      )}
    </section>
  );
}

function SignInLine({ one, busy, onEnd }: { readonly one: SignIn; readonly busy: boolean; readonly onEnd: () => void }) {
  const { t } = useTranslation('profile');
  const format = useFormat();
  const name = describeUserAgent(one.agent) || t('signIns.unknown');
  return (
    <li>
      <span>
        <strong title={one.agent}>{name}</strong>
        <small title={format.moment(one.createdAt)}>
          {[one.address, t('signIns.since', { when: format.whenWithin(one.createdAt) })].filter(Boolean).join(' · ')}
        </small>
      </span>
      {one.current ? (
        <Badge tone="success">{t('signIns.current')}</Badge>
      ) : (
        <Button small kind="quiet" busy={busy} onClick={onEnd} aria-label={t('signIns.endOf', { name })}>
          {t('signIns.end')}
        </Button>
      )}
    </li>
  );
}
