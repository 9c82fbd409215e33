/** Screens that are about all projects or the user: an opened project stays open, but is neither named nor navigated there. */
const OUTSIDE = new Set(['home', 'globalJobs', 'admin', 'profile', 'themes', 'messages', 'mail-templates', 'invitation']);

export const isOutsideProjects = (route: string): boolean => OUTSIDE.has(route);
