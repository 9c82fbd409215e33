import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link2, Mail, X } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import {
  createInvitation,
  invitationsQuery,
  revokeInvitation,
  sendInvitation,
  type Invitation,
  type InvitationTerms,
} from '@/api/resources/invitations';
import { ErrorState } from '@/blocks/error-state';
import { INVITATION_PATH } from '@/state/invitation-token';
import { notify } from '@/state/notifications-store';
import { Button } from '@/ui/button';
import { SelectInput } from '@/ui/choice-inputs';
import { CopyButton } from '@/ui/copy-button';
import { TextInput } from '@/ui/field';
import { readerLocale } from '@/ui/format';
import { IconButton } from '@/ui/icon-button';
import { Notice } from '@/ui/notice';
import { AccessChoice, type Access } from './access-choice';
import { usePersonName } from './person-name';
import styles from './projects.module.css';

const DAYS = [1, 7, 14, 30, 90] as const;
const DEFAULT_DAYS = 14;
const MAIL_ADDRESS = /^[^\s@]+@[^\s@]+$/u;

/** The token is in the fragment: it is in no log of a server. */
const linkOf = (token: string) => `${window.location.origin}${INVITATION_PATH}#${token}`;

const formatDay = (date: string, language: string) =>
  new Date(date).toLocaleDateString(readerLocale(language), { day: 'numeric', month: 'long', year: 'numeric' });

function useRefreshInvitations(project: string): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: invitationsQuery(project).queryKey });
}

function InvitationRow({ project, invitation }: { readonly project: string; readonly invitation: Invitation }) {
  const { t, i18n } = useTranslation('project');
  const personName = usePersonName();
  const refresh = useRefreshInvitations(project);
  const revoke = useMutation({
    mutationFn: () => revokeInvitation(project, invitation.id),
    onSettled: refresh,
    meta: { errorTitle: 'projectShares' },
  });
  const { right, usesLeft, sentTo, usable } = invitation;
  const name = personName(invitation.createdBy);
  const date = formatDay(invitation.expiresAt, i18n.language);
  return (
    <li className={`${styles['share']} ${styles['invitation']}`}>
      <span className={styles['who']}>
        {t(`share.${right}`)}
        <small>{t('invite.until', { date })}</small>
        <small>{usesLeft === undefined ? t('invite.forAny') : t('invite.for', { count: usesLeft })}</small>
        {sentTo !== undefined && <small>{t('invite.sentTo', { address: sentTo })}</small>}
        <small>{usable ? t('invite.by', { name }) : t('invite.stopped', { name })}</small>
      </span>
      <IconButton small icon={X} label={t('invite.revoke', { name, date })} onClick={() => revoke.mutate()} />
    </li>
  );
}

interface TermsProps {
  readonly terms: InvitationTerms;
  readonly onChange: (terms: InvitationTerms) => void;
}

function TermsChoice({ terms, onChange }: TermsProps) {
  const { t } = useTranslation('project');
  return (
    <>
      <SelectInput
        label={t('invite.expires')}
        value={String(terms.days)}
        onChange={(days) => onChange({ ...terms, days: Number(days) })}
        options={DAYS.map((count) => ({ value: String(count), label: t('invite.days', { count }) }))}
      />
      <AccessChoice label={t('share.access')} value={terms.right} onChange={(right: Access) => onChange({ ...terms, right })} />
    </>
  );
}

function CreateLink({ project, terms, onChange }: TermsProps & { readonly project: string }) {
  const { t } = useTranslation('project');
  const refresh = useRefreshInvitations(project);
  const [once, setOnce] = useState<'one' | 'any'>('any');
  const create = useMutation({
    mutationFn: () => createInvitation(project, { ...terms, ...(once === 'one' && { uses: 1 }) }),
    onSettled: refresh,
    meta: { errorTitle: 'projectShares' },
  });
  return (
    <>
      <div className={styles['terms']}>
        <SelectInput
          label={t('invite.people')}
          value={once}
          onChange={setOnce}
          options={(['any', 'one'] as const).map((value) => ({ value, label: t(`invite.use.${value}`) }))}
        />
        <TermsChoice terms={terms} onChange={onChange} />
        <Button icon={Link2} busy={create.isPending} onClick={() => create.mutate()}>
          {t('invite.create')}
        </Button>
      </div>
      {create.data !== undefined && (
        <Notice tone="info" role="alert">
          <p>{t('invite.created')}</p>
          <div className={styles['invite']}>
            <code>{linkOf(create.data)}</code>
            <CopyButton small text={linkOf(create.data)} label={t('invite.copy')} />
          </div>
        </Notice>
      )}
    </>
  );
}

function SendByMail({ project, terms }: { readonly project: string; readonly terms: InvitationTerms }) {
  const { t, i18n } = useTranslation('project');
  const refresh = useRefreshInvitations(project);
  const [address, setAddress] = useState('');
  const [tried, setTried] = useState(false);
  const valid = MAIL_ADDRESS.test(address.trim());
  const send = useMutation({
    mutationFn: (to: string) => sendInvitation(project, to, i18n.language.startsWith('fr') ? 'fr' : 'en', terms),
    onSuccess: (_sent, to) => {
      notify({ type: 'success', message: t('invite.sent', { address: to }) });
      setAddress('');
      setTried(false);
    },
    onSettled: refresh,
    meta: { errorTitle: 'projectShares' },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (valid && !send.isPending) send.mutate(address.trim());
  };
  return (
    <form noValidate className={styles['add']} onSubmit={submit}>
      <TextInput
        label={t('invite.address')}
        help={t('invite.addressHelp')}
        type="email"
        autoComplete="off"
        value={address}
        onChange={setAddress}
        error={tried && !valid ? t('invite.addressWrong') : undefined}
      />
      <Button type="submit" icon={Mail} busy={send.isPending}>
        {t('invite.send')}
      </Button>
    </form>
  );
}

/** Links that give access to the project, for those who may share it: the open ones, and new ones to copy or send. */
export function InvitationLinks({ project }: { readonly project: string }) {
  const { t } = useTranslation('project');
  const { data, error, refetch } = useQuery(invitationsQuery(project));
  const [terms, setTerms] = useState<InvitationTerms>({ right: 'read', days: DEFAULT_DAYS });
  return (
    <section className={styles['section']}>
      <h3>{t('invite.title')}</h3>
      <p>{t('invite.text')}</p>
      {error !== null && data === undefined && (
        <ErrorState title={t('errors:error.getShares')} error={error} onRetry={() => void refetch()} />
      )}
      {data !== undefined && data.invitations.length > 0 && (
        <ul className={`${styles['shares']} ${styles['invitations']}`} aria-label={t('invite.title')}>
          {data.invitations.map((one) => (
            <InvitationRow key={one.id} project={project} invitation={one} />
          ))}
        </ul>
      )}
      <CreateLink project={project} terms={terms} onChange={setTerms} />
      {data?.sendsMail === true && <SendByMail project={project} terms={terms} />}
    </section>
  );
}
