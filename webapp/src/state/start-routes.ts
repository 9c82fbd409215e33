/** N-009: screens that a project can open with; a test compares them with the route table. */
export const START_ROUTES = ['documents', 'explore', 'labels', 'test', 'dashboard', 'experiments', 'plans', 'suggestions'] as const;

export const isStartRoute = (id: string | undefined): boolean => (START_ROUTES as readonly (string | undefined)[]).includes(id);
