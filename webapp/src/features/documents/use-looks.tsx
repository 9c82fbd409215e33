/** S-011: the document as plain text, or as it looked; chosen per project, kept by the server. Marks, places and keys are the same in both. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { changePreferences, preferencesQuery } from '@/api/resources/preferences';
import type { Project } from '@/api/resources/projects';
import { documentLayoutQuery, type AnnotatedDocument } from '@/api/resources/documents';
import { topOffset } from '@/annotation/surface/dom-offset';
import type { SurfaceHandle } from '@/annotation/surface/surface';
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

/** What the server knows of the choice; before it answers, and for who never chose there, what this browser knows. */
function useLookChoice(project: string, usual: LooksChoice): readonly [LooksChoice, (next: LooksChoice) => void] {
  const client = useQueryClient();
  const user = useSessionStore(({ principal }) => principal?.username ?? '');
  const [here, chooseHere] = useChoice<LooksChoice>(`looks/${user}/${project}`, usual);
  const { queryKey } = preferencesQuery(project);
  const { data } = useQuery(preferencesQuery(project));
  const { mutate } = useMutation({
    mutationFn: (textLook: LooksChoice) => changePreferences(project, { textLook }),
    onMutate: async (textLook) => {
      chooseHere(textLook);
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, (before = {}) => ({ ...before, textLook }));
    },
    onSuccess: ({ textLook }) => client.setQueryData(queryKey, (before = {}) => ({ ...before, ...(textLook && { textLook }) })),
    // When it fails the text is drawn as wanted all the same, on this machine.
    meta: { silent: true },
  });
  return [data?.textLook ?? here, mutate];
}

export function useLooks(
  project: Project | undefined,
  projectName: string,
  document: AnnotatedDocument,
  wire: DocumentWire,
  surface: RefObject<SurfaceHandle | null>,
): Looks {
  const { t } = useTranslation('documents');
  const has = document.hasLayout === true;
  // Texts that are Markdown are shown with their formatting until somebody wants otherwise.
  const usual = project?.markdownContent === true ? 'formatted' : 'plain';
  const [choice, choose] = useLookChoice(projectName, usual);
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
