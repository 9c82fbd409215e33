/** The API for tests: one project manager, a few projects and jobs. Override with `server.use(...)`. */
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import type { Job } from '@/api/resources/jobs';
import type { Project } from '@/api/resources/projects';
import COMPONENT_DEFAULTS from './component-defaults.json';

/** Written by `make schemas`: what the server sends that an administrator did not change. */
export { COMPONENT_DEFAULTS };

export const PERMISSIONS = [
  'role:ProjectManager',
  'seeHomepage',
  'seeLabels',
  'seeProjectJobs',
  'seeUserProfile',
  'seeLogout',
  'seeLanguageBtn',
  'createProject',
  'deleteProject',
  'exportProject',
  'writeLabel',
  'useSearch',
  'readProject:*',
  'writeProject:*',
];

export const project = (name: string, change: Partial<Project> = {}): Project => ({
  name,
  label: name,
  description: '',
  image: '',
  lang: 'en',
  nature: 'sequence_labelling',
  documents: 12,
  annotations: 34,
  createdDate: '2026-01-02T00:00:00Z',
  ...change,
});

export const job = (id: string, change: Partial<Job> = {}): Job => ({
  id,
  type: 'DOC_IMPORT',
  status: 'COMPLETED',
  description: `Job ${id}`,
  project: 'press',
  projectLabel: 'Press',
  createdBy: 'ana',
  createdAt: 1_700_000_000_000,
  currentStepCount: 1,
  totalStepCount: 2,
  uploadIds: [],
  ...change,
});

export const errorResponse = (status: number, message: string, more: object = {}) =>
  HttpResponse.json({ code: status, message, cause: message, ...more }, { status });

export const server = setupServer(
  http.get('*/api/ui-config', () => HttpResponse.json({ passwordPolicy: { minLength: 8 }, session: { expiresInMinutes: 60 } })),
  http.get('*/api/component-defaults', () => HttpResponse.json(COMPONENT_DEFAULTS)),
  http.get('*/api/current_user', () => HttpResponse.json({ username: 'ana' })),
  http.get('*/api/projects/:name/_preferences', () => HttpResponse.json({})),
  http.get('*/api/projects/:name/invitations', () => HttpResponse.json({ invitations: [], sendsMail: false })),
  http.get('*/api/projects/:name/comments', () => HttpResponse.json({ threads: [] })),
  http.get('*/api/projects/:name/lexicons', () => HttpResponse.json([])),
  http.get('*/api/projects/:name/gazetteers', () => HttpResponse.json([])),
  http.get('*/api/users', () => HttpResponse.json({ users: [] })),
  http.get('*/api/users/:name/groups', () => HttpResponse.json([])),
  http.get('*/api/users/:name', () => HttpResponse.json({ username: 'ana', profilename: 'Ana Roth', permissions: PERMISSIONS })),
  http.get('*/api/projects', () =>
    HttpResponse.json([
      project('press', { label: 'Regional press' }),
      project('tickets', { label: 'Support tickets', nature: 'classification', lang: 'fr', documents: 900 }),
    ]),
  ),
  http.get('*/api/projects/:name/_info', ({ params }) => HttpResponse.json(project(String(params['name'])))),
  http.get('*/api/projects/:name/jobs', () =>
    HttpResponse.json([job('a'), job('b', { status: 'FAILED', statusMessage: 'Out of memory' })]),
  ),
  http.get('*/api/jobs', () => HttpResponse.json([])),
  http.get('*/api/themes/_favorite', () => HttpResponse.json({ id: 'default', config: {} })),
  http.get('*/api/themes', () => HttpResponse.json([])),
  http.get('*/api/swagger-ui/buildInfo.json', () => HttpResponse.json({ version: '1.0.0' })),
  http.get('*/api/eventbus-login', () => errorResponse(503, 'No live events in tests')),
  http.post('*/api/auth/logout', () => new HttpResponse(null, { status: 204 })),
);
