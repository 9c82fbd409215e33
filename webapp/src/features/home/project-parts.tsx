import { Highlighter, Lock, MessagesSquare, Tags, TriangleAlert, Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useLabelStyle } from '@/theme/mode';
import { LABEL_PALETTE } from '@/theme/palette';
import { imageAddress } from '@/api/resources/archives-and-shares';
import type { Project } from '@/api/resources/projects';
import { Badge } from '@/ui/badge';
import { initials } from '@/ui/format';
import { usePersonName } from '@/blocks/projects/person-name';
import { Tooltip } from '@/ui/tooltip';
import { projectWritable } from '@/state/permissions';
import { useSessionStore } from '@/state/session-store';
import styles from './home.module.css';

const NATURE_ICONS = { sequence_labelling: Highlighter, classification: Tags, question_answering: MessagesSquare } as const;

/** A colour of the palette derived from the name. */
function colourForName(name: string): string {
  let sum = 0;
  for (const char of name) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 100_003;
  return LABEL_PALETTE[sum % LABEL_PALETTE.length] ?? '';
}

/** The image if it is on this server or inline; addresses of other sites are not loaded. */
function localPicture(project: Project): string | null {
  if (project.imageId !== undefined) return imageAddress(project.imageId);
  return project.image?.startsWith('/') === true || project.image?.startsWith('data:') === true ? project.image : null;
}

export function ProjectPicture({ project, large = false }: { readonly project: Project; readonly large?: boolean }) {
  const style = useLabelStyle(colourForName(project.name));
  const picture = localPicture(project);
  if (picture !== null) return <img className={styles['tile']} data-large={large || undefined} src={picture} alt="" loading="lazy" />;
  return (
    <span className={styles['tile']} data-large={large || undefined} style={style} aria-hidden>
      {initials(project.label)}
    </span>
  );
}

export function NatureText({ nature }: { readonly nature: string | undefined }) {
  const { t } = useTranslation('home');
  const Icon = NATURE_ICONS[nature as keyof typeof NATURE_ICONS];
  return (
    <span className={styles['nature']}>
      {Icon !== undefined && <Icon size={14} aria-hidden />}
      {t(`nature.${nature ?? 'unknown'}`)}
    </span>
  );
}

/** Whether the project is read-only according to the server, else by the user's permissions. */
export function useIsProjectReadOnly(project: Project): boolean {
  const permissions = useSessionStore((state) => state.permissions);
  return project.readOnly ?? !projectWritable(permissions, project.name);
}

export function ProjectStatusIcons({ project }: { readonly project: Project }) {
  const { t } = useTranslation('home');
  const readOnly = useIsProjectReadOnly(project);
  const personName = usePersonName();
  return (
    <>
      {project.shared === true && (
        <Tooltip title={t('shared')}>
          <Users size={14} aria-label={t('shared')} />
        </Tooltip>
      )}
      {project.private === true && project.shared !== true && (
        <Tooltip title={t('private')}>
          <Lock size={14} aria-label={t('private')} />
        </Tooltip>
      )}
      {project.damaged !== undefined && (
        <Tooltip title={t('damagedHelp', { fields: project.damaged.join(', ') })}>
          <Badge tone="error" icon={TriangleAlert}>
            {t('damaged')}
          </Badge>
        </Tooltip>
      )}
      {project.sharedBy !== undefined && project.sharedBy.length > 0 && (
        <span className={styles['sharedBy']}>{t('sharedBy', { names: project.sharedBy.map((name) => personName(name)).join(', ') })}</span>
      )}
      {readOnly && <Badge tone="info">{t('readOnly')}</Badge>}
    </>
  );
}
