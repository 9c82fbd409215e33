/** Path parameters of calls below a project, as `client` takes them. */
export const projectPathParams = (projectName: string) => ({ path: { projectName } });
