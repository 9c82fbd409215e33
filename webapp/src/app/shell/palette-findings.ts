/** What the palette finds besides commands: projects, labels, people, and documents that the server finds by their words. */
import { useQuery } from '@tanstack/react-query';
import { createElement, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { documentSearchQuery, type DocumentHit, type DocumentSearch } from '@/api/resources/documents';
import { labelsQuery, type Label } from '@/api/resources/labels';
import { projectQuery, projectsQuery, type Project } from '@/api/resources/projects';
import { usersQuery, type User } from '@/api/resources/users';
import { pathWithState } from '@/state/path-state';
import { addressPath, SEARCH_DEFAULTS } from '@/state/search-address';
import { allowed, type Permissions } from '@/state/permissions';
import { useSessionStore } from '@/state/session-store';
import type { Command } from '@/ui/command-registry';
import type { PaletteFindings } from '@/ui/command-palette';
import { FoundBecause, reasonOf } from './found-because';
import { PLACES, type Place } from './palette-places';

/** Documents are looked for from two characters on, when typing pauses. */
const LEAST_CHARACTERS = 2;
const PAUSE_MS = 180;
const MOST_DOCUMENTS = 6;
/** Without a query, only the first projects: the list is for acts. */
const PROJECTS_SHOWN = 5;

type Go = (path: string) => void;
/** Texts of the `keys` catalogue. */
type Text = (key: string, values?: Readonly<Record<string, string>>) => string;

export const projectCommands = (projects: readonly Project[], open: string, t: Text, go: Go): Command[] =>
  projects
    .filter(({ name }) => name !== open)
    .map(({ name, label }) => ({
      id: `project.${name}`,
      section: 'projects',
      title: label,
      detail: t('kind.project'),
      keywords: name,
      run: () => go(`/openProject/${encodeURIComponent(name)}`),
    }));

export const labelCommands = (labels: readonly Label[], t: Text, go: Go): Command[] =>
  labels.map(({ name, label, labelSetName }) => ({
    id: `show-label.${name}`,
    section: 'projectLabels',
    title: label,
    detail: t('kind.label'),
    keywords: name,
    run: () => go(`/labels/${encodeURIComponent(labelSetName ?? 'default')}`),
  }));

/** As the screen of users keeps its state in the path. */
const USERS_DEFAULTS = { group: '', words: '', user: '' };

export const personCommands = (users: readonly User[], t: Text, go: Go): Command[] =>
  users.map(({ username, profilename, email }) => ({
    id: `person.${username}`,
    section: 'people',
    title: profilename || username,
    detail: t('kind.person'),
    keywords: [username, email].filter(Boolean).join(' '),
    run: () => go(pathWithState('/admin/users', { user: username }, USERS_DEFAULTS)),
  }));

export const documentCommands = (hits: readonly DocumentHit[], words: string, t: Text, go: Go): Command[] =>
  hits.map((hit) => documentCommand(hit, words, t, go));

function documentCommand(hit: DocumentHit, words: string, t: Text, go: Go): Command {
  const { identifier, title } = hit.document;
  const note = createElement(FoundBecause, { hit, words });
  return {
    id: `found-document.${identifier}`,
    section: 'documents',
    title: title === undefined || title === '' ? identifier : title,
    detail: t('kind.document'),
    found: true,
    ...(reasonOf(hit, words) !== undefined && { note }),
    run: () => go(addressPath('/document', { documentIdentifier: identifier })),
  };
}

const hasNature = (natures: Place['natures'], nature: string | undefined) => natures === undefined || natures.some((one) => one === nature);

/** `project`: the open one, null for none. */
export const placeCommands = (
  permissions: Permissions,
  project: { readonly nature: string | undefined } | null,
  t: Text,
  go: Go,
): Command[] =>
  PLACES.filter(({ rule, needsProject = false }) => allowed(permissions, rule) && (project !== null || !needsProject))
    .filter(({ natures }) => hasNature(natures, project?.nature))
    .map(({ id, to }) => ({
      id: `place.${id}`,
      section: 'settings',
      title: t(`place.${id}`),
      keywords: t(`placeWords.${id}`),
      run: () => go(to),
    }));

/** The searches for the words themselves, last in the list. */
function wordCommands(words: string, permissions: Permissions, t: Text, go: Go): Command[] {
  if (words === '' || !allowed(permissions, 'useSearch')) return [];
  const search = (screen: 'documents' | 'explore', rule: string): Command[] =>
    allowed(permissions, rule)
      ? [
          {
            id: `words.${screen}`,
            section: 'words',
            title: t(`words.${screen}`, { words }),
            run: () => go(addressPath(`/${screen}`, { query: words, explicitSubmit: true })),
          },
        ]
      : [];
  return [...search('documents', 'seeDocuments'), ...search('explore', 'seeExplore')];
}

function usePaused(value: string): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}

const NO_HITS: readonly DocumentHit[] = [];

const documentSearch = (words: string): DocumentSearch => ({
  ...SEARCH_DEFAULTS,
  // The last word is still being typed.
  query: /[\p{L}\p{N}]$/u.test(words) ? `${words}*` : words,
  size: MOST_DOCUMENTS,
  simpleQuery: true,
  outputFields: 'title,metadata',
});

function useFoundDocuments(words: string, project: string, may: boolean) {
  const paused = usePaused(words);
  const asked = may && project !== '' && paused.length >= LEAST_CHARACTERS && words.length >= LEAST_CHARACTERS;
  const { data, isFetching } = useQuery({ ...documentSearchQuery(project, documentSearch(paused)), enabled: asked });
  return {
    hits: asked ? (data?.hits ?? NO_HITS) : NO_HITS,
    searching: may && words.length >= LEAST_CHARACTERS && (isFetching || paused !== words),
  };
}

/** `UseFindings` of the palette. */
export function usePaletteFindings(query: string, everything: boolean): PaletteFindings {
  const { t } = useTranslation('keys');
  const navigate = useNavigate();
  const { permissions, projectName } = useSessionStore();
  const words = query.trim();
  const project = projectName ?? '';
  const may = (rule: string) => everything && allowed(permissions, rule);
  const quiet = { meta: { silent: true } };
  const { data: projects } = useQuery({ ...projectsQuery(), ...quiet, enabled: may('seeHomepage') });
  const { data: labels } = useQuery({ ...labelsQuery(project), ...quiet, enabled: may('seeLabels') && project !== '' && words !== '' });
  const { data: users } = useQuery({ ...usersQuery(), ...quiet, enabled: may('userAdministrator') && words !== '' });
  const { data: info } = useQuery({ ...projectQuery(project), ...quiet });
  const nature = info?.nature;
  const { hits, searching } = useFoundDocuments(words, project, may('seeDocuments') && may('useSearch'));
  const commands = useMemo(() => {
    if (!everything) return [];
    const go: Go = (path) => void navigate(path);
    const known = projectCommands(projects ?? [], project, t, go);
    if (words === '') return known.slice(0, PROJECTS_SHOWN);
    return [
      ...placeCommands(permissions, project === '' ? null : { nature }, t, go),
      ...known,
      ...labelCommands(labels ?? [], t, go),
      ...documentCommands(hits, words, t, go),
      ...personCommands(users ?? [], t, go),
      ...(project === '' ? [] : wordCommands(words, permissions, t, go)),
    ];
  }, [everything, projects, labels, users, hits, words, project, nature, permissions, navigate, t]);
  return { commands, searching };
}
