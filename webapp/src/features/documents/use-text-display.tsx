/**
 * S-011: shows the document as plain text, or with its layout; chosen per project, stored on the server. Marks, offsets and keys are the
 * same in both.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { changePreferences, preferencesQuery } from '@/api/resources/preferences';
import type { Project } from '@/api/resources/projects';
import { documentLayoutQuery, type AnnotatedDocument } from '@/api/resources/documents';
import { firstVisibleOffset } from '@/annotation/drawing/dom-offset';
import type { SurfaceHandle } from '@/annotation/surface/surface-types';
import type { DocumentSerializer } from '@/annotation/document-serializer';
import { SegmentedControl } from '@/ui/choice-inputs';
import { useCommands } from '@/ui/command-registry';
import { useStoredChoice } from '@/state/layout-store';
import { useSessionStore } from '@/state/session-store';
import type { LayoutMark } from '@/text/layout';

type TextDisplayChoice = 'plain' | 'formatted';

export interface TextDisplay {
  /** The layout to draw; absent: plain text. */
  readonly layout: readonly LayoutMark[] | undefined;
  /** The switch; nothing for a document without layout. */
  readonly control: ReactNode;
}

/** The choice stored on the server, else the one stored in this browser. */
function useTextDisplayChoice(project: string, usual: TextDisplayChoice): readonly [TextDisplayChoice, (next: TextDisplayChoice) => void] {
  const client = useQueryClient();
  const user = useSessionStore(({ principal }) => principal?.username ?? '');
  const [here, chooseHere] = useStoredChoice<TextDisplayChoice>(`looks/${user}/${project}`, usual);
  const { queryKey } = preferencesQuery(project);
  const { data } = useQuery(preferencesQuery(project));
  const { mutate } = useMutation({
    mutationFn: (textLook: TextDisplayChoice) => changePreferences(project, { textLook }),
    onMutate: async (textLook) => {
      chooseHere(textLook);
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, (before = {}) => ({ ...before, textLook }));
    },
    onSuccess: ({ textLook }) => client.setQueryData(queryKey, (before = {}) => ({ ...before, ...(textLook && { textLook }) })),
    // After a failure the choice still applies in this browser.
    meta: { silent: true },
  });
  return [data?.textLook ?? here, mutate];
}

export function useTextDisplay(
  project: Project | undefined,
  projectName: string,
  document: AnnotatedDocument,
  wire: DocumentSerializer,
  surface: RefObject<SurfaceHandle | null>,
): TextDisplay {
  const { t } = useTranslation('documents');
  const has = document.hasLayout === true;
  // Markdown texts are formatted by default.
  const usual = project?.markdownContent === true ? 'formatted' : 'plain';
  const [choice, choose] = useTextDisplayChoice(projectName, usual);
  const wanted = has && choice === 'formatted';
  const { data: marks } = useQuery(documentLayoutQuery(projectName, document.identifier, wanted));
  const layout = useMemo(() => (wanted && marks !== undefined ? wire.layout(marks) : undefined), [wanted, marks, wire]);
  const place = useRef<number | undefined>(undefined);
  const drawn = layout !== undefined;
  useEffect(() => {
    if (place.current !== undefined) surface.current?.scrollTo(place.current);
    place.current = undefined;
  }, [drawn, surface]);
  const change = (next: TextDisplayChoice): void => {
    place.current = firstVisibleOffset(window.document);
    choose(next);
  };
  const other = wanted ? 'plain' : 'formatted';
  useCommands(() => (has ? [{ id: 'document.looks', section: 'screen', title: t(`looks.to.${other}`), run: () => change(other) }] : []));
  const options = (['plain', 'formatted'] as const).map((value) => ({ value, label: t(`looks.${value}`) }));
  return {
    layout,
    control: has ? <SegmentedControl label={t('looks.label')} value={choice} options={options} onChange={change} /> : null,
  };
}
