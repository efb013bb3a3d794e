/** Maximum size of a request, in bytes. */
export const MAX_REQUEST = 1024 * 1024
