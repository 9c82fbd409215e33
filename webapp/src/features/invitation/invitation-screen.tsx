import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { ApiError } from '@/api/errors';
import { acceptInvitation, invitationFactsQuery } from '@/api/resources/invitations';
import { projectKeys } from '@/api/resources/projects';
import { fetchUser } from '@/api/resources/users';
import { ErrorState } from '@/blocks/error-state';
import { forgetInvitation, INVITATION_PATH, rememberedInvitation, rememberInvitation } from '@/state/invitation-token';
import { useSessionStore } from '@/state/session-store';
import { Button } from '@/ui/button';
import { Page, PageHead } from '@/ui/page';
import { EmptyState, Skeleton } from '@/ui/placeholder-states';
import styles from './invitation.module.css';

/** The token of the opened link, null without one. A link pasted into the open web app has it in the address still. */
function useInvitationToken(): string | null {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const fresh = hash.length > 1 ? hash.slice(1) : null;
  useEffect(() => {
    if (fresh === null) return;
    rememberInvitation(fresh);
    void navigate(INVITATION_PATH, { replace: true });
  }, [fresh, navigate]);
  return fresh ?? rememberedInvitation();
}

/** The rights of the session include the new project from now on, also without live events. */
async function readRights(): Promise<void> {
  const { principal, setRights } = useSessionStore.getState();
  if (principal === null) return;
  const { permissions } = await fetchUser(principal.username);
  if (permissions !== undefined && permissions !== null) setRights(permissions);
}

function useAccept(token: string) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => acceptInvitation(token),
    onSuccess: async ({ projectName }) => {
      await readRights().catch(() => undefined);
      await queryClient.invalidateQueries({ queryKey: projectKeys.all });
      await navigate(`/openProject/${encodeURIComponent(projectName)}`, { replace: true });
      forgetInvitation();
    },
    meta: { silent: true },
  });
}

function useLeave(): () => void {
  const navigate = useNavigate();
  return () => void Promise.resolve(navigate('/home', { replace: true })).then(forgetInvitation);
}

function NoInvitation({ reason }: { readonly reason: 'none' | 'invalid' }) {
  const { t } = useTranslation('project');
  const leave = useLeave();
  return (
    <>
      <PageHead title={t('shell:title.invitation')} />
      <EmptyState title={t(`invitation.${reason}`)} actions={<Button onClick={leave}>{t('invitation.projects')}</Button>}>
        {t(`invitation.${reason}Help`)}
      </EmptyState>
    </>
  );
}

const isUnknown = (error: unknown) => error instanceof ApiError && error.status === 404;

function Offer({ token }: { readonly token: string }) {
  const { t } = useTranslation('project');
  const facts = useQuery(invitationFactsQuery(token));
  const accept = useAccept(token);
  const leave = useLeave();
  const me = useSessionStore((state) => state.principal?.profilename ?? '');
  if (isUnknown(facts.error) || isUnknown(accept.error)) return <NoInvitation reason="invalid" />;
  if (facts.error !== null) return <ErrorState title={t('invitation.failed')} error={facts.error} onRetry={() => void facts.refetch()} />;
  if (facts.data === undefined) return <Skeleton rows={3} rowHeight={36} />;
  const { inviter, projectLabel, right } = facts.data;
  return (
    <section className={styles['card']}>
      <h1>{t('invitation.offer', { name: inviter, project: projectLabel })}</h1>
      <p>{t(`invitation.gives.${right}`)}</p>
      <p className={styles['account']}>{t('invitation.as', { name: me })}</p>
      {accept.error !== null && <ErrorState title={t('invitation.failed')} error={accept.error} />}
      <div className={styles['actions']}>
        <Button kind="solid" icon={Check} busy={accept.isPending} onClick={() => accept.mutate()}>
          {t('invitation.accept')}
        </Button>
        <Button onClick={leave}>{t('invitation.later')}</Button>
      </div>
    </section>
  );
}

/** `/invitation#<token>`: who invites to which project, before accepting. */
export function InvitationScreen() {
  const token = useInvitationToken();
  return <Page screen="invitation">{token === null ? <NoInvitation reason="none" /> : <Offer key={token} token={token} />}</Page>;
}
