/** S-011: the document as plain text, or as it looked; chosen per project. Marks, places and keys are the same in both. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Project } from '@/api/resources/projects';
import { documentLayoutQuery, type AnnotatedDocument } from '@/api/resources/documents';
import { topOffset } from '@/annotation/dom-offset';
import type { SurfaceHandle } from '@/annotation/surface';
import type { DocumentWire } from '@/annotation/wire';
import { Segmented } from '@/components/choices';
import { useCommands } from '@/components/key-registry';
import { useChoice } from '@/state/layout-store';
import { useSessionStore } from '@/state/session-store';
import type { LayoutMark } from '@/text/layout';

type LooksChoice = 'plain' | 'formatted';

export interface Looks {
  /** What the surface draws; absent: plain text. */
  readonly layout: readonly LayoutMark[] | undefined;
  /** The switch; nothing where the document has only its text. */
  readonly control: ReactNode;
}

export function useLooks(
  project: Project | undefined,
  projectName: string,
  document: AnnotatedDocument,
  wire: DocumentWire,
  surface: RefObject<SurfaceHandle | null>,
): Looks {
  const { t } = useTranslation('documents');
  const user = useSessionStore(({ principal }) => principal?.username ?? '');
  const has = document.hasLayout === true;
  // Texts that are Markdown are shown with their formatting until somebody wants otherwise.
  const usual = project?.markdownContent === true ? 'formatted' : 'plain';
  const [choice, choose] = useChoice<LooksChoice>(`looks/${user}/${projectName}`, usual);
  const wanted = has && choice === 'formatted';
  const { data: marks } = useQuery(documentLayoutQuery(projectName, document.identifier, wanted));
  const layout = useMemo(() => (wanted && marks !== undefined ? wire.layout(marks) : undefined), [wanted, marks, wire]);
  const place = useRef<number | undefined>(undefined);
  const drawn = layout !== undefined;
  useEffect(() => {
    if (place.current !== undefined) surface.current?.scrollTo(place.current);
    place.current = undefined;
  }, [drawn, surface]);
  const change = (next: LooksChoice): void => {
    place.current = topOffset(window.document);
    choose(next);
  };
  const other = wanted ? 'plain' : 'formatted';
  useCommands(() => (has ? [{ id: 'document.looks', section: 'screen', title: t(`looks.to.${other}`), run: () => change(other) }] : []));
  const options = (['plain', 'formatted'] as const).map((value) => ({ value, label: t(`looks.${value}`) }));
  return {
    layout,
    control: has ? <Segmented label={t('looks.label')} value={choice} options={options} onChange={change} /> : null,
  };
}
