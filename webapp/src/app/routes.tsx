/**
 * Every screen of the studio in one table. To add one: add a row (path, rule, lazy component), its title under `shell:title.<id>` in both
 * languages, and nothing else: guard, browser title, navigation and landing order read this table.
 */
import { BookA, Columns2, FileText, FlaskConical, LayoutDashboard, ListChecks, Mail, MessagesSquare, ScanSearch, Settings, Sparkles, Tag, TextCursorInput, Timer, Workflow } from 'lucide-react';
import type { NavigationRow, RouteRow } from './route-types';

export const ROUTES: readonly RouteRow[] = [
  { id: 'signin', path: '/signin', params: '/:error?', anonymous: true, load: async () => (await import('@/features/signin/signin-screen')).SigninScreen },
  { id: 'home', path: '/home', params: '/:searchParams?', rule: 'seeHomepage', load: async () => (await import('@/features/home/home-screen')).HomeScreen },
  { id: 'profile', path: '/profile', rule: 'seeUserProfile', load: async () => (await import('@/features/profile/profile-screen')).ProfileScreen },
  {
    id: 'labels',
    path: '/labels',
    params: '/:selectedLabelSet?',
    to: '/labels/default',
    rule: 'seeLabels',
    needsProject: true,
    load: async () => (await import('@/features/labels/labels-screen')).LabelsScreen,
  },
  {
    id: 'documents',
    path: '/documents',
    params: '/:searchParams?',
    also: ['/document/:searchParams?'],
    rule: 'seeDocuments',
    needsProject: true,
    load: async () => (await import('@/features/documents/documents-route')).DocumentsRoute,
  },
  { id: 'explore', path: '/explore', params: '/:searchParams?', rule: 'seeExplore', needsProject: true, load: async () => (await import('@/features/explore/explore-screen')).ExploreScreen },
  { id: 'addDocuments', path: '/addDocuments', rule: 'importDocuments', needsProject: true, load: async () => (await import('@/features/import/add-documents-screen')).AddDocumentsScreen },
  {
    id: 'suggestions',
    path: '/suggestions',
    params: '/:searchParams?',
    rule: 'seeSuggestions',
    needsProject: true,
    load: async () => (await import('@/features/suggestions/suggestions-screen')).SuggestionsScreen,
  },
  { id: 'experiments', path: '/experiments', rule: 'seeExperiments', needsProject: true, load: async () => (await import('@/features/experiments/experiments-screen')).ExperimentsScreen },
  { id: 'test', path: '/test', params: '/:testParams?', rule: 'seeTest', needsProject: true, load: async () => (await import('@/features/test-annotator/test-screen')).TestScreen },
  { id: 'settings', path: '/settings', params: '/:selectedTab?', rule: 'seeSettings', needsProject: true, load: async () => (await import('@/features/settings/settings-screen')).SettingsScreen },
  { id: 'jobs', path: '/jobs', rule: 'seeProjectJobs', needsProject: true, load: async () => (await import('@/features/jobs/jobs-screen')).ProjectJobsScreen },
  { id: 'globalJobs', path: '/globalJobs', rule: 'seeGlobalJobs', load: async () => (await import('@/features/jobs/jobs-screen')).GlobalJobsScreen },
];

/** W-008, in order. Entries whose route is not in the table, or not allowed, are not shown. */
export const NAVIGATION: readonly NavigationRow[] = [
  { route: 'answers', icon: MessagesSquare, group: 1 },
  { route: 'compare-search', icon: Columns2, group: 1 },
  { route: 'documents', icon: FileText, group: 1 },
  { route: 'explore', icon: ScanSearch, group: 1 },
  { route: 'labels', icon: Tag, group: 1 },
  { route: 'suggestions', icon: Sparkles, group: 1 },
  { route: 'experiments', icon: FlaskConical, group: 2 },
  { route: 'gazetteers', icon: BookA, group: 2, natures: ['sequence_labelling'] },
  { route: 'plans', icon: Workflow, group: 2 },
  { route: 'project-messages', icon: Mail, group: 2, natures: ['question_answering'] },
  { route: 'test', icon: TextCursorInput, group: 2 },
  { route: 'dashboard', icon: LayoutDashboard, group: 3 },
  { route: 'jobs', icon: ListChecks, group: 3 },
  { route: 'campaign', icon: Timer, group: 3 },
  { route: 'settings', icon: Settings, group: 3 },
];
