import type { ProjectNature } from '@/app/route-types';

/** Places within screens that the palette finds by their names and by the words people use for them. */
export interface Place {
  /** Its title and words are `keys:place.<id>` and `keys:placeWords.<id>`. */
  readonly id: string;
  readonly to: string;
  readonly rule: string;
  readonly needsProject?: boolean;
  /** Natures of projects that have it. */
  readonly natures?: readonly ProjectNature[];
}

const inSettings = (id: string, tab: string): Place => ({ id, to: `/settings/${tab}`, rule: 'seeSettings', needsProject: true });
const inVocabularies = (id: string, path: string, rule = 'seeGazetteers'): Place => ({
  ...{ id, to: `/gazetteers/${path}`, rule, needsProject: true },
  natures: ['sequence_labelling'],
});

export const PLACES: readonly Place[] = [
  inSettings('general', 'general'),
  inSettings('sharing', 'sharing'),
  inSettings('segments', 'documents'),
  inSettings('vectors', 'search'),
  inSettings('suggesters', 'suggesters'),
  inSettings('plansInUse', 'plans'),
  inSettings('deletion', 'danger'),
  { id: 'split', to: '/experiments', rule: 'seeExperiments', needsProject: true },
  inVocabularies('importTerms', 'lexicons?import', 'importTerms'),
  inVocabularies('annotators', 'annotators'),
  inVocabularies('terms', 'terms'),
  inVocabularies('vocabularySettings', 'settings'),
  { id: 'users', to: '/admin/users', rule: 'userAdministrator' },
  { id: 'groups', to: '/admin/groups', rule: 'userAdministrator' },
  { id: 'roles', to: '/admin/roles', rule: 'userAdministrator' },
  { id: 'password', to: '/profile', rule: 'seeUserProfile' },
];
