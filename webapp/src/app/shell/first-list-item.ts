/** The first of what is listed on the page: a row of a table, a text among others, a title. */
export const firstListItem = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('#main [data-row], #main .ann-live, #main ol > li h2 a');
