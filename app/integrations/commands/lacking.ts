/** What a connection may not do, as a sentence that follows another; empty where it may do all. */
export const lacking = (permissions: readonly string[]): string =>
  permissions.length === 0 ? '' : ` It lacks ${permissions.join(', ')}.`
