/** Places within screens that the palette finds by their names and by the words people use for them. */
export interface Place {
  /** Its title and words are `keys:place.<id>` and `keys:placeWords.<id>`. */
  readonly id: string;
  readonly to: string;
  readonly rule: string;
  readonly needsProject?: boolean;
}

const inSettings = (id: string, tab: string): Place => ({ id, to: `/settings/${tab}`, rule: 'seeSettings', needsProject: true });

export const PLACES: readonly Place[] = [
  inSettings('general', 'general'),
  inSettings('sharing', 'sharing'),
  inSettings('segments', 'documents'),
  inSettings('vectors', 'search'),
  inSettings('suggesters', 'suggesters'),
  inSettings('plansInUse', 'plans'),
  inSettings('deletion', 'danger'),
  { id: 'split', to: '/experiments', rule: 'seeExperiments', needsProject: true },
  { id: 'users', to: '/admin/users', rule: 'userAdministrator' },
  { id: 'groups', to: '/admin/groups', rule: 'userAdministrator' },
  { id: 'roles', to: '/admin/roles', rule: 'userAdministrator' },
  { id: 'password', to: '/profile', rule: 'seeUserProfile' },
];
