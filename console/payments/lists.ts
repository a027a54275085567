/** The rows of a page of a list. */
export const rowsPerPage = 25;
