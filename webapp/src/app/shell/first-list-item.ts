/** The first list item of the page: a row of a table, a text of a list, a title. */
export const firstListItem = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('#main [data-row], #main .ann-live, #main ol > li h2 a');
