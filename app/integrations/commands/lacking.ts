/** Returns a sentence about missing permissions; empty if none are missing. */
export const missingSentence = (permissions: readonly string[]): string =>
  permissions.length === 0 ? '' : ` It lacks ${permissions.join(', ')}.`
